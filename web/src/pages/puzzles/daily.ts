/** The puzzle of the day: the same for everybody on a day, by nothing but the date. */
import { type GameId, GAME_IDS } from '$games/index';
import { loadPuzzles, type Puzzle } from './data';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of a day, counted in UTC: the same day everywhere. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** The games take turns. */
export const gameOfDay = (day: number): GameId =>
  GAME_IDS[((day % GAME_IDS.length) + GAME_IDS.length) % GAME_IDS.length] ?? GAME_IDS[0];

/** Neighbouring days get puzzles far apart; the list must be the same for everybody. */
export function puzzleOfDay(day: number, puzzles: readonly Puzzle[]): Puzzle | undefined {
  const mixed = Math.imul(day ^ (day >>> 15), 0x9e3779b1) >>> 0;
  return puzzles[mixed % Math.max(1, puzzles.length)];
}

export async function dailyPuzzle(time: number): Promise<{ game: GameId; puzzle: Puzzle } | null> {
  const day = dayOf(time);
  const game = gameOfDay(day);
  const puzzle = puzzleOfDay(day, await loadPuzzles(game));
  return puzzle ? { game, puzzle } : null;
}
