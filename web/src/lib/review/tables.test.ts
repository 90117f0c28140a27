import { describe, expect, it } from 'vitest';
import { GAME_IDS, usualVariant } from '$games/index';
import { accuracyOf, loadCalibration, scale, tableOf } from './accuracy';

describe.each([...GAME_IDS.map(usualVariant), 'columna:points', 'palisade:13'])(
  'the accuracy of %s',
  (game) => {
    it('tells weak levels from strong ones', async () => {
      const table = await loadCalibration(game);
      if (!table) throw new Error('run `npm run calibrate`');
      const of = (level: number) => {
        const row = table.levels.find((one) => one.level === level);
        return accuracyOf(table, row?.loss ?? NaN);
      };
      expect(of(0)).toBeLessThan(20);
      expect(of(1)).toBeLessThan(45);
      // By points the strongest levels see as much as the review does.
      expect(of(9)).toBeGreaterThan(game === 'columna:points' ? 60 : 70);
      expect(of(9) - of(1)).toBeGreaterThan(35);
      expect(scale(table).length).toBeGreaterThan(3);
    });
  },
);

it('takes the table of the option, or of the nearest size', () => {
  const files = ['accuracy.txt', 'accuracy-13.txt', 'accuracy-19.txt'];
  const of = (option: string) => tableOf(files, option, '9');
  expect(['5', '9', '11'].map(of)).toEqual(Array(3).fill('accuracy.txt'));
  expect(['12', '13', '16'].map(of)).toEqual(Array(3).fill('accuracy-13.txt'));
  expect(of('17')).toBe('accuracy-19.txt');
  const words = ['accuracy.txt', 'accuracy-points.txt'];
  expect(tableOf(words, 'points', 'spaces')).toBe('accuracy-points.txt');
  expect(tableOf(words, 'spaces', 'spaces')).toBe('accuracy.txt');
  expect(tableOf(['accuracy.txt'], '', '')).toBe('accuracy.txt');
});
