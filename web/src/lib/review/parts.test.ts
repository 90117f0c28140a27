import { expect, test } from 'vitest';
import { enginesAtOnce } from '$lib/engine/cores';
import { partsOf } from './parts';

test('every move belongs to one part, whatever the cores', () => {
  for (let moves = 1; moves < 200; moves += 1) {
    for (const cores of [1, 2, 3, 4, 8, 64, NaN]) {
      const parts = partsOf(moves, enginesAtOnce(cores));
      const own = parts.flatMap(({ from, end }) =>
        Array.from({ length: end - from }, (_, number) => from + number),
      );
      expect(own).toEqual(Array.from({ length: moves }, (_, number) => number));
      for (const { end, until } of parts) expect(until).toBe(Math.min(end + 1, moves));
    }
  }
});

test('a core is left to the page, and short games are not cut up', () => {
  expect([1, 2, 3, 4, 64, NaN].map((cores) => enginesAtOnce(cores))).toEqual([1, 1, 2, 3, 4, 1]);
  expect([2, 4, 8].map((memory) => enginesAtOnce(8, memory))).toEqual([1, 4, 4]);
  expect(partsOf(60, 1)).toEqual([{ from: 0, end: 60, until: 60 }]);
  expect(partsOf(60, 3).map(({ from }) => from)).toEqual([0, 20, 40]);
  expect(partsOf(11, 4)).toHaveLength(1);
});
