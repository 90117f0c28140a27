/**
 * A move that was made here and that the server has not confirmed yet. It is kept in the browser, so
 * that neither a dead network nor a closed tab loses it.
 */
import { readJson, remove, writeJson } from '$lib/store/storage';

export interface PendingMove {
  /** How many moves had been played before it; with it the server knows a move that comes twice. */
  ply: number;
  move: string;
}

const keyOf = (game: string) => `stoa.pending.${game}`;

export function readPending(game: string): PendingMove | null {
  const value = readJson(keyOf(game)) as Partial<PendingMove> | null | undefined;
  const fits = Number.isInteger(value?.ply) && typeof value?.move === 'string';
  return fits ? { ply: Number(value.ply), move: String(value.move) } : null;
}

export const keepPending = (game: string, pending: PendingMove): boolean =>
  writeJson(keyOf(game), pending);

export const dropPending = (game: string): void => remove(keyOf(game));
