/** Whether a move does what it should: the answers of the rules before and after it, compared. */
import { otherSide, type Piece, type Played, type Side, type State } from '$lib/rules/protocol';
import type { Goal } from './lesson';

export function reached(goal: Goal, before: State, played: Played): boolean {
  const { state, move } = played;
  const mover = before.side;
  const lost = (side: Side) => piecesOf(side, before) - piecesOf(side, state);
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

/** How many pieces of a player are on the board; a stack with an owner is one. */
function piecesOf(side: Side, { view }: State): number {
  return view.spots.reduce((sum, { piece }) => sum + (piece ? countIn(piece, side) : 0), 0);
}

function countIn(piece: Piece, side: Side): number {
  if ('checkers' in piece) return piece.checkers.filter((checker) => checker === side).length;
  if ('double' in piece) return piece.double === side ? 2 : 0;
  const owner =
    'single' in piece
      ? piece.single
      : 'stone' in piece
        ? piece.stone
        : 'stack' in piece
          ? piece.stack.owner
          : 'tower' in piece
            ? piece.tower
            : piece.pawn;
  return owner === side ? 1 : 0;
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
