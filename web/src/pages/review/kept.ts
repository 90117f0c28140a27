/**
 * Reviews kept in the browser, so that a reload does not begin again: the game that was reviewed,
 * what was said about it, and for which mistakes something better was found.
 */
import type { Review } from '$lib/engine/protocol';
import type { Side } from '$lib/rules/protocol';
import type { SavedGame } from '$lib/store/games';
import { readText, writeText } from '$lib/store/storage';
import { titleOf } from '$lib/store/titles';

/** A game to be reviewed. */
export interface Subject {
  /** `g-ID` for a game of this browser, `o-ID` for one played online, another one for a record. */
  id: string;
  name: string;
  /** The game with its options. */
  game: string;
  start?: string;
  moves: string[];
  /** Whose mistakes may be tried again. */
  own: Side[];
  /** Who played, where that is known, the first player first. */
  players: [string, string];
}

export interface KeptReview {
  version: 1;
  subject: Subject;
  review?: Review;
  /** The moves, counted from zero, for which something better was found. */
  found: number[];
}

const keyOf = (id: string) => `stoa.review.${id}`;

export function loadReview(id: string): KeptReview | undefined {
  const text = readText(keyOf(id));
  const kept = text === undefined ? undefined : parseReview(text);
  return kept?.subject.id === id ? kept : undefined;
}

/** The id of the review of a game from a link: the same link leads to the same review. */
export function linkId(packed: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < packed.length; i += 1) {
    hash = Math.imul(hash ^ packed.charCodeAt(i), 0x01000193);
  }
  return `l${(hash >>> 0).toString(36)}${packed.length.toString(36)}`;
}

/** Keeps a review; returns whether it could be kept. */
export const saveReview = (kept: KeptReview): boolean =>
  writeText(keyOf(kept.subject.id), JSON.stringify(kept));

/** The subject of a game of this browser. `name` is called for the name of a player. */
export function subjectOf(
  saved: SavedGame,
  name: (player: SavedGame['players'][number]) => string,
): Subject {
  const [first, second] = saved.players;
  const people: Side[] = [
    ...(first.kind === 'person' ? (['first'] as const) : []),
    ...(second.kind === 'person' ? (['second'] as const) : []),
  ];
  const isFriends = people.length === 2;
  return {
    id: `g-${saved.id}`,
    name: titleOf(saved),
    game: saved.game,
    ...(saved.start === undefined ? {} : { start: saved.start }),
    moves: saved.moves,
    own: people,
    players: isFriends ? ['', ''] : [name(first), name(second)],
  };
}

/** Whether a kept review is about this game as it is now. */
export const isAbout = (kept: KeptReview, subject: Subject): boolean =>
  kept.subject.game === subject.game &&
  kept.subject.start === subject.start &&
  kept.subject.moves.join(' ') === subject.moves.join(' ');

export function parseReview(text: string): KeptReview | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value['version'] !== 1 || !isObject(value['subject'])) return undefined;
  const { subject, review, found } = value;
  const isText = (one: unknown) => typeof one === 'string';
  const isList = (one: unknown, each: (item: unknown) => boolean) =>
    Array.isArray(one) && one.every(each);
  const fits =
    [subject['id'], subject['name'], subject['game']].every(isText) &&
    (subject['start'] === undefined || isText(subject['start'])) &&
    isList(subject['moves'], isText) &&
    isList(subject['own'], (side) => side === 'first' || side === 'second') &&
    isList(subject['players'], isText) &&
    isList(found, Number.isInteger) &&
    (review === undefined ||
      (isObject(review) &&
        isList(review['curve'], (one) => typeof one === 'number') &&
        isList(review['moves'], isObject) &&
        isList(review['players'], isObject) &&
        isList(review['turning_points'], Number.isInteger)));
  if (!fits) return undefined;
  const kept = value as unknown as KeptReview;
  // Reviews that earlier versions have kept have no findings.
  for (const move of kept.review?.moves ?? []) move.findings ??= [];
  return kept;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
