import { describe, expect, it } from 'vitest';
import { courseOf, HEIGHT, sampled } from './course';

const point = (at: number, value: number, deviation = 50) => ({ game: 'g', at, value, deviation });

describe('the course of a rating', () => {
  it('goes from the first game to the latest, within its frame', () => {
    const { width, places, line, band, levels } = courseOf([
      point(300, 1640),
      point(200, 1480, 350),
      point(0, 1500),
    ]);
    expect(places.map(({ point: { at } }) => at)).toEqual([0, 200, 300]);
    const xs = places.map(({ x }) => x);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    for (const { x, y, above, below } of places) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(width);
      for (const one of [y, above, below]) {
        expect(one).toBeGreaterThan(0);
        expect(one).toBeLessThan(HEIGHT);
      }
      expect(above).toBeLessThanOrEqual(y);
      expect(below).toBeGreaterThanOrEqual(y);
    }
    // Higher is stronger.
    expect(places[2]?.y).toBeLessThan(places[1]?.y ?? 0);
    expect(line.startsWith('M') && band.endsWith('Z')).toBe(true);
    expect(levels.length).toBeGreaterThan(2);
    expect(levels.every(({ value }) => value % 25 === 0)).toBe(true);
  });
  it('of one game is a point in the middle', () => {
    const { width, places, band } = courseOf([point(5, 1662)]);
    expect(places.length).toBe(1);
    expect(places[0]?.x).toBeGreaterThan(width / 3);
    expect(band).toBe('');
  });
  it('is sampled evenly, with both ends', () => {
    const { places } = courseOf(Array.from({ length: 501 }, (_, at) => point(500 - at, 1500 + at)));
    const some = sampled(places, 40);
    expect(some.length).toBe(40);
    expect([some[0], some.at(-1)]).toEqual([places[0], places.at(-1)]);
    expect(sampled(places.slice(0, 3), 40).length).toBe(3);
  });
});
