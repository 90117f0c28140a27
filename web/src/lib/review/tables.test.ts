import { describe, expect, it } from 'vitest';
import { GAME_IDS } from '$games/index';
import { accuracyOf, loadCalibration, scale } from './accuracy';

describe.each(GAME_IDS)('the accuracy of %s', (game) => {
  it('tells weak levels from strong ones', async () => {
    const table = await loadCalibration(game);
    if (!table) throw new Error('run `npm run calibrate`');
    const of = (level: number) => {
      const row = table.levels.find((one) => one.level === level);
      return accuracyOf(table, row?.loss ?? NaN);
    };
    expect(of(0)).toBeLessThan(20);
    expect(of(1)).toBeLessThan(45);
    expect(of(9)).toBeGreaterThan(70);
    expect(of(9) - of(1)).toBeGreaterThan(35);
    expect(scale(table).length).toBeGreaterThan(3);
  });
});
