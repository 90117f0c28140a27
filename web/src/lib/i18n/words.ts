/** Words about games that several pages use. */
import { m } from '$messages';
import { type Entries, type GameId, GAMES } from '$games/index';
import {
  type Counted,
  type Counter,
  otherSide,
  type Outcome,
  type Reason,
  type Role,
  type Side,
  sideIndex,
} from '$lib/rules/protocol';
import { locale } from './locale.svelte';

/** The name of a player: `sideName('impasse')('first')` is "White". */
export const sideName =
  (game: GameId) =>
  (side: Side): string =>
    GAMES[game].sides[sideIndex(side)]();

const LEVELS = [
  m.level_1,
  m.level_2,
  m.level_3,
  m.level_4,
  m.level_5,
  m.level_6,
  m.level_7,
  m.level_8,
  m.level_9,
  m.level_10,
];
export const levelName = (level: number): string => LEVELS[level - 1]?.() ?? String(level);

/** Every word that is a key of some game's table. */
type OwnWords<Table extends 'reasons' | 'roles' | 'counted' | 'counters'> = {
  [Id in GameId]: keyof Entries[Id][Table];
}[GameId];

// A reason, role, count or counter that is new in Rust needs words: here if it is the same in several
// games, else in the folder of its game. Until then these tables do not have the right type.
const REASONS: Record<
  Exclude<Reason, OwnWords<'reasons'>>,
  (parts: { loser: string }) => string
> = {
  'no-move': m.reason_no_move,
  stall: m.reason_stall,
  resigned: m.reason_resigned,
  time: m.reason_time,
  agreed: m.reason_agreed,
  abandoned: m.reason_abandoned,
};
const ROLES: Record<Exclude<Role, OwnWords<'roles'>>, () => string> = {
  piece: m.role_piece,
  target: m.role_target,
  place: m.role_place,
};
const COUNTED: Record<
  Exclude<Counted, OwnWords<'counted'>>,
  (parts: { count: number }) => string
> = {
  checkers: m.counted_checkers,
};
const COUNTERS: Record<Exclude<Counter, OwnWords<'counters'>>, () => string> = {
  stall: m.analyse_counter_stall,
};

/** The words of a game if it has its own, else those that games share. */
function wordsOf<Key extends string, Parts>(
  own: { readonly [key in Key]?: (parts: Parts) => string } | undefined,
  shared: { readonly [key in Key]?: (parts: Parts) => string },
  key: Key,
  parts: Parts,
): string {
  return (own?.[key] ?? shared[key])?.(parts) ?? key;
}
export const roleWords = (game: GameId | undefined, role: Role): string =>
  wordsOf(game && GAMES[game].roles, ROLES, role, undefined);
/** What is counted, after a number or, without one, by itself. */
export const countedWords = (game: GameId, counted: Counted, count = 2): string =>
  wordsOf(GAMES[game].counted, COUNTED, counted, { count });
export const counterWords = (game: GameId, counter: Counter): string =>
  wordsOf(GAMES[game].counters, COUNTERS, counter, undefined);

export function outcomeWords(game: GameId, outcome: Outcome): string {
  const loser = outcome.winner === null ? '' : sideName(game)(otherSide(outcome.winner));
  const why = wordsOf(GAMES[game].reasons, REASONS, outcome.reason, { loser });
  return outcome.winner === null
    ? m.outcome_draw({ why })
    : m.outcome_win({ side: sideName(game)(outcome.winner), why });
}

/** A probability as people say it; what is not certain is never shown as if it were. */
export function percentWords(probability: number): string {
  const certain = probability === 0 || probability === 1;
  const shown = certain ? probability : Math.min(0.99, Math.max(0.01, probability));
  return new Intl.NumberFormat(locale(), { style: 'percent' }).format(shown);
}
