/** What to say about a move that somebody tries instead of a mistake. */
import type { ReviewedMove, Score } from '$lib/engine/protocol';
import type { JudgedMove } from './exact';

/** From this loss on a move is an inaccuracy: `Class::LEAST_ERROR` of the engine. */
export const LEAST_ERROR = 0.05;

const ERRORS = ['inaccuracy', 'mistake', 'blunder'] as const;
type ErrorClass = (typeof ERRORS)[number];

export const isError = (move: JudgedMove): move is JudgedMove & { class: ErrorClass } =>
  ERRORS.some((one) => one === move.class);

export const errorsOf = (review: { moves: JudgedMove[] }): JudgedMove[] =>
  review.moves.filter(isError);

export const SIGNS: Record<ReviewedMove['class'], string> = {
  forced: '',
  best: '',
  good: '',
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

export type Attempt =
  { kind: 'good' } | { kind: 'lost' } | { kind: 'bad'; /** Games in a hundred. */ cost: number };

/** Judges a move by the opponent's value after it, and by the value of the position before. */
export function judge(before: Score, reply: Score): Attempt {
  const lost = before.win_probability - (1 - reply.win_probability);
  if (lost < LEAST_ERROR) return { kind: 'good' };
  if (reply.proven === 'win') return { kind: 'lost' };
  return { kind: 'bad', cost: hundredths(lost) };
}

/** The same value for the other player. */
export const negated = (score: Score): Score => ({
  points: score.points === null ? null : -score.points,
  win_probability: 1 - score.win_probability,
  proven: score.proven === null ? null : score.proven === 'win' ? 'loss' : 'win',
  turns: score.turns,
});

/** A part of games as a whole number of a hundred; what is something is at least one. */
export const hundredths = (part: number): number => Math.max(1, Math.round(part * 100));

/** Milliseconds for each position: a short game is looked at more closely, none takes minutes. */
export function effort(plies: number, closely: boolean): number {
  const [whole, least, most] = closely ? [90_000, 300, 1500] : [9_000, 60, 300];
  return Math.round(Math.min(most, Math.max(least, whole / Math.max(1, plies))));
}

/** The place of the next error after a ply of the game, or of the one before it. */
export function neighbourError(
  errors: readonly JudgedMove[],
  ply: number,
  direction: 1 | -1,
): JudgedMove | undefined {
  // Errors are looked at after they were made: error `n` at ply `n + 1`.
  return direction === 1
    ? errors.find((error) => error.ply + 1 > ply)
    : errors.findLast((error) => error.ply + 1 < ply);
}
