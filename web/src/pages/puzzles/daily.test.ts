import { describe, expect, it } from 'vitest';
import { GAME_IDS } from '$games/index';
import { dailyPuzzle, dayOf, gameOfDay } from './daily';

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
  it('does not come again soon', async () => {
    const ids = new Set<string>();
    for (let day = 0; day < 30; day += 1) {
      const found = await dailyPuzzle(NOON + day * GAME_IDS.length * DAY);
      if (found) ids.add(found.puzzle.id);
    }
    expect(ids.size).toBeGreaterThan(24);
  });
});
