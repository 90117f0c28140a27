/**
 * What the rules are asked and what they answer, in types that are generated from Rust, and a few
 * helpers for them.
 */
import type { Piece, Side } from '$lib/worker/questions.generated';

export type * from '$lib/worker/questions.generated';

export const SIDES: readonly [Side, Side] = ['first', 'second'];
export const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first');
export const sideIndex = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);

type KindsOf<P> = P extends P ? keyof P : never;
export type PieceKind = KindsOf<Piece>;
type ContentOf<Kind extends PieceKind> = Extract<Piece, Record<Kind, unknown>>[Kind];

export const pieceKind = (piece: Piece): PieceKind => Object.keys(piece)[0] as PieceKind;

/** A function for every kind of piece that a game has: it takes what the piece consists of. */
export type ByPiece<Rest extends unknown[], Result> = {
  readonly [Kind in PieceKind]?: (content: ContentOf<Kind>, ...rest: Rest) => Result;
};

export function byPiece<Rest extends unknown[], Result>(
  table: ByPiece<Rest, Result>,
  piece: Piece,
  ...rest: Rest
): Result {
  const [kind, content] = Object.entries(piece)[0] as [PieceKind, never];
  const act = table[kind] as ((content: never, ...rest: Rest) => Result) | undefined;
  if (act === undefined) throw new Error(`no ${kind} is known in this game`);
  return act(content, ...rest);
}
