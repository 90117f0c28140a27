import { describe, expect, it } from 'vitest';
import { GAME_IDS } from '$games/index';
import { dailyPuzzle, dayOf, gameOfDay, puzzleOfDay } from './daily';
import { loadPuzzles } from './data';

const NOON = Date.UTC(2026, 10, 16, 12);
const DAY = 24 * 60 * 60 * 1000;

describe('the puzzle of the day', () => {
  it('is the same from midnight to midnight, and another the next day', async () => {
    const midnight = Date.UTC(2026, 10, 16);
    const today = await dailyPuzzle(NOON);
    expect(today).not.toBeNull();
    expect(await dailyPuzzle(midnight)).toEqual(today);
    expect(await dailyPuzzle(midnight + DAY - 1)).toEqual(today);
    expect((await dailyPuzzle(midnight + DAY))?.puzzle.id).not.toBe(today?.puzzle.id);
  });
  it('takes the games in turn', () => {
    const day = dayOf(NOON);
    const games = GAME_IDS.map((_, index) => gameOfDay(day + index));
    expect([...games].sort()).toEqual([...GAME_IDS].sort());
    expect(gameOfDay(-1)).toBe(GAME_IDS.at(-1));
  });
  it('comes again when all others have come', async () => {
    const game = gameOfDay(dayOf(NOON));
    const puzzles = await loadPuzzles(game);
    const ids: string[] = [];
    for (let turn = 0; turn < puzzles.length; turn += 1) {
      const found = await dailyPuzzle(NOON + turn * GAME_IDS.length * DAY);
      if (found?.game === game) ids.push(found.puzzle.id);
    }
    expect(ids).toHaveLength(puzzles.length);
    expect(new Set(ids).size).toBe(puzzles.length);
    expect(ids[1]).not.toBe(puzzles[puzzles.findIndex(({ id }) => id === ids[0]) + 1]?.id);
  });
  it('is one of any list, and none of an empty one', async () => {
    const puzzles = await loadPuzzles(GAME_IDS[0]);
    for (const length of [1, 2, 3, 4, 6, 12, puzzles.length]) {
      const some = puzzles.slice(0, length);
      const days = Array.from({ length: length * GAME_IDS.length }, (_, day) => day - 7);
      expect(new Set(days.map((day) => puzzleOfDay(day, some)))).toEqual(new Set(some));
    }
    expect(puzzleOfDay(7, [])).toBeUndefined();
  });
});
