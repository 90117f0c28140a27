/** The puzzle of the day: the same for everybody on a day, by nothing but the date. */
import { type GameId, GAME_IDS } from '$games/index';
import { loadPuzzles, type Puzzle } from './data';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of a day, counted in UTC: the same day everywhere. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** The games take turns. */
export const gameOfDay = (day: number): GameId =>
  GAME_IDS[((day % GAME_IDS.length) + GAME_IDS.length) % GAME_IDS.length] ?? GAME_IDS[0];

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/**
 * Each of a game's turns goes on from the last one by a step that shares no divisor with the length of the list: all
 * puzzles come before one comes again, and neighbours are far apart. The list must be the same for everybody.
 */
export function puzzleOfDay(day: number, puzzles: readonly Puzzle[]): Puzzle | undefined {
  const { length } = puzzles;
  let step = Math.max(1, Math.round(length * 0.618));
  while (divisor(length, step) > 1) step += 1;
  const turn = Math.floor(day / GAME_IDS.length);
  return puzzles[(((turn * step) % length) + length) % length];
}

export async function dailyPuzzle(time: number): Promise<{ game: GameId; puzzle: Puzzle } | null> {
  const day = dayOf(time);
  const game = gameOfDay(day);
  const puzzle = puzzleOfDay(day, await loadPuzzles(game));
  return puzzle ? { game, puzzle } : null;
}
