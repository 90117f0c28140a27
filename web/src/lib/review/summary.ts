/** How the players did over a whole game, from what is said about each move. */
import type { ClassCounts, Review, ReviewedPlayer } from '$lib/engine/protocol';
import { type Side, SIDES } from '$lib/rules/protocol';
import { type JudgedMove, shortening } from './exact';

/** What giving up all resistance in a lost position counts, as a part of a game. */
const LOST_ANYWAY = 0.25;

/** What a move counts as having lost, for the average. */
export const costOf = (move: JudgedMove): number =>
  Math.max(move.lost, LOST_ANYWAY * shortening(move));

/** With better chances than the rest of this, or worse than this, a game is as good as decided. */
const DECIDED = 0.1;

/**
 * Whether a move says how well somebody plays. Where there is one move only, nothing is chosen; where a
 * game is as good as decided, no move costs much, and a long one would make everybody look strong. In a solved
 * game every position is decided, and every move counts.
 */
export function isTelling(move: JudgedMove, isSolved: boolean): boolean {
  if (move.class === 'forced') return false;
  const { win_probability: chances, proven } = move.before.mover;
  const isOpen = chances >= DECIDED && chances <= 1 - DECIDED;
  return isOpen || (isSolved && proven !== null) || move.lost >= DECIDED;
}

function playerOf(side: Side, moves: readonly JudgedMove[], isSolved: boolean): ReviewedPlayer {
  const own = moves.filter((move) => move.side === side);
  const counts: ClassCounts = {
    forced: 0,
    best: 0,
    good: 0,
    inaccuracy: 0,
    mistake: 0,
    blunder: 0,
  };
  for (const move of own) counts[move.class] += 1;
  const telling = own.filter((move) => isTelling(move, isSolved));
  const total = telling.reduce((sum, move) => sum + costOf(move), 0);
  return {
    side,
    average_loss: telling.length === 0 ? null : total / telling.length,
    accuracy: null,
    counts,
    missed_wins: own.filter((move) => move.missed_win !== null).length,
    allowed_losses: own.filter((move) => move.allowed_loss !== null).length,
  };
}

/** The moves with which the favourite changed; if there are none, the one that cost most. */
function turningPoints(moves: readonly JudgedMove[]): number[] {
  const serious = moves.filter((move) => move.class === 'mistake' || move.class === 'blunder');
  const turned = serious.filter(
    ({ before, after }) => before.mover.win_probability >= 0.5 && after.mover.win_probability < 0.5,
  );
  if (turned.length > 0) return turned.map(({ ply }) => ply);
  const [first, ...rest] = serious;
  if (first === undefined) return [];
  return [rest.reduce((worst, move) => (move.lost >= worst.lost ? move : worst), first).ply];
}

/** Players and turning points of a review with these moves. */
const summed = (
  moves: readonly JudgedMove[],
  isSolved: boolean,
): Pick<Review, 'players' | 'turning_points'> => {
  const [first, second] = SIDES;
  return {
    players: [playerOf(first, moves, isSolved), playerOf(second, moves, isSolved)],
    turning_points: turningPoints(moves),
  };
};

/** A review made of these moves of a game that is solved or not. */
export function reviewOf(moves: readonly JudgedMove[], plies: number, isSolved: boolean): Review {
  const start = moves[0]?.before.first.win_probability;
  const curve = [
    ...(start === undefined ? [] : [start]),
    ...moves.map(({ after }) => after.first.win_probability),
  ];
  return { plies, moves: [...moves], curve, complete: moves.length === plies, ...summed(moves, isSolved) };
}

/** More turning points than these nobody looks at. */
const MAX_TURNING_POINTS = 5;

/** The turning points that cost most, in the order of the game. */
export function mainTurningPoints({ moves, turning_points }: Review): number[] {
  const lost = (at: number) => moves.find(({ ply }) => ply === at)?.lost ?? 0;
  return [...turning_points]
    .sort((one, other) => lost(other) - lost(one))
    .slice(0, MAX_TURNING_POINTS)
    .sort((one, other) => one - other);
}
