/** Whether a move does what it should: the answers of the rules before and after it, compared. */
import {
  byPiece,
  otherSide,
  type Piece,
  type Played,
  type Side,
  type State,
} from '$lib/rules/protocol';
import type { Goal, Lesson } from './lesson';

export function reached(
  goal: Goal,
  owners: Lesson['owners'],
  before: State,
  played: Played,
): boolean {
  const { state, move } = played;
  const mover = before.side;
  const lost = (side: Side) => piecesOf(side, before, owners) - piecesOf(side, state, owners);
  return (
    (goal.moves === undefined || goal.moves.includes(move)) &&
    (goal.outcome === undefined || goal.outcome === outcomeFor(mover, state)) &&
    (goal.captures === undefined || goal.captures === lost(otherSide(mover))) &&
    (goal.sheds === undefined || goal.sheds === lost(mover)) &&
    (goal.counts === undefined || same(goal.counts, state.view.counts)) &&
    Object.entries(goal.on ?? {}).every(([cell, piece]) => same(piece, pieceOn(cell, state)))
  );
}

function outcomeFor(side: Side, { outcome }: State): Goal['outcome'] {
  if (outcome === null) return undefined;
  if (outcome.winner === null) return 'draw';
  return outcome.winner === side ? 'win' : 'loss';
}

const pieceOn = (cell: string, { view }: State): Piece | null =>
  view.spots.find(({ name }) => name === cell)?.piece ?? null;

/** How many pieces a player has on the board. */
function piecesOf(side: Side, { view }: State, owners: Lesson['owners']): number {
  const all = view.spots.flatMap(({ piece }) => (piece ? byPiece(owners, piece) : []));
  return all.filter((owner) => owner === side).length;
}

/** Plain values with the same content; the order of keys does not matter. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return (
    left.length === Object.keys(right).length &&
    left.every(([key, value]) => key in right && same(value, right[key]))
  );
}
