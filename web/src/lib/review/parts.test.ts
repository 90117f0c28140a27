import { expect, test } from 'vitest';
import { partsOf } from './parts';

test('every move belongs to one part, whatever the cores', () => {
  for (let moves = 1; moves < 200; moves += 1) {
    for (const cores of [1, 2, 3, 4, 8, 64, NaN]) {
      const parts = partsOf(moves, cores);
      const own = parts.flatMap(({ from, end }) =>
        Array.from({ length: end - from }, (_, number) => from + number),
      );
      expect(own).toEqual(Array.from({ length: moves }, (_, number) => number));
      for (const { end, until } of parts) expect(until).toBe(Math.min(end + 1, moves));
    }
  }
});

test('a core is left to the page, and short games are not cut up', () => {
  expect(partsOf(60, 2)).toEqual([{ from: 0, end: 60, until: 60 }]);
  expect(partsOf(60, 4).map(({ from }) => from)).toEqual([0, 20, 40]);
  expect(partsOf(60, 64)).toHaveLength(4);
  expect(partsOf(11, 8)).toHaveLength(1);
});
