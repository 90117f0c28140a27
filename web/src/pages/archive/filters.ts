/** What is searched for in the archive: as the address has it, and as the server is asked. */
import { positionOf } from '$lib/links/links';

/** Everything is a text, empty if it is no condition. */
export interface Filters {
  /** A name or an id. */
  player: string;
  opponent: string;
  game: string;
  pace: string;
  result: string;
  /** Days, as `2026-11-16`. */
  from: string;
  to: string;
  /** Numbers of moves. */
  min: string;
  max: string;
  /** Ratings before the game, and whose: `both` or `either`. */
  minrating: string;
  maxrating: string;
  ratingof: string;
  /** A position of the game, as links write it. */
  p: string;
}

export const NO_FILTERS: Filters = {
  player: '',
  opponent: '',
  game: '',
  pace: '',
  result: '',
  from: '',
  to: '',
  min: '',
  max: '',
  minrating: '',
  maxrating: '',
  ratingof: '',
  p: '',
};

/** The longest position, and the longest of everything else. */
const MAX_POSITION = 2000;
const MAX_LENGTH = 40;

const KEYS = Object.keys(NO_FILTERS) as (keyof Filters)[];

/** Reads what an address says; what makes no sense in it is left out. */
export function filtersOf(query: URLSearchParams): Filters {
  const filters = { ...NO_FILTERS };
  for (const key of KEYS) {
    const value = (query.get(key) ?? '').trim().slice(0, key === 'p' ? MAX_POSITION : MAX_LENGTH);
    if (isPossible(key, value)) filters[key] = value;
  }
  return filters;
}

export const PACES = ['clock', 'days', 'unlimited'] as const;
export const RATING_OF = ['both', 'either'] as const;
export const RESULTS = ['first', 'second', 'draw', 'won', 'lost'] as const;

function isPossible(key: keyof Filters, value: string): boolean {
  const isOneOf = (values: readonly string[]) => value === '' || values.includes(value);
  if (key === 'pace') return isOneOf(PACES);
  if (key === 'result') return isOneOf(RESULTS);
  if (key === 'from' || key === 'to') return value === '' || startOfDay(value) !== undefined;
  if (key === 'min' || key === 'max') return /^\d{0,6}$/.test(value);
  if (key === 'minrating' || key === 'maxrating') return /^\d{0,4}$/.test(value);
  if (key === 'ratingof') return isOneOf(RATING_OF);
  return true;
}

/** The conditions, for an address. */
export const conditions = (filters: Filters): Record<string, string> =>
  Object.fromEntries(
    KEYS.flatMap((key): [string, string][] => (filters[key] === '' ? [] : [[key, filters[key]]])),
  );

/** A question for the server. Days are those of this device. */
export function questionOf(filters: Filters): URLSearchParams {
  const { player, opponent, game, pace, result, from, to, min, max } = filters;
  const { minrating, maxrating, ratingof, p } = filters;
  // Whose victory it was can only be asked about somebody.
  const isOfPlayer = result === 'won' || result === 'lost';
  const question = {
    player,
    opponent,
    game,
    pace,
    result: isOfPlayer && player === '' ? '' : result,
    since: String(startOfDay(from) ?? ''),
    until: String(startOfDay(to, 1) ?? ''),
    min_moves: min,
    max_moves: max,
    min_rating: minrating,
    max_rating: maxrating,
    rating_of: minrating + maxrating === '' ? '' : ratingof,
    // A position is one of a game.
    position: game === '' ? '' : positionOf(p),
  };
  return new URLSearchParams(Object.entries(question).filter(([, value]) => value !== ''));
}

/** When a day begins, or one some days later; nothing if there is no such day. */
export function startOfDay(day: string, later = 0): number | undefined {
  const [, year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const time = new Date(year, month - 1, date);
  if (time.getMonth() !== month - 1 || time.getDate() !== date) return undefined;
  return new Date(year, month - 1, date + later).getTime();
}
