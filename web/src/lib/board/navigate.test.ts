import { describe, expect, it } from 'vitest';
import { endOfRow, neighbour } from './navigate';
import { plainLook, targetNamed, viewOf } from './testing';
import type { Target } from './look';

const { targets } = plainLook.layout(viewOf(4));
const go = (from: string, way: Parameters<typeof neighbour>[2]) =>
  neighbour(targets, targetNamed(targets, from), way).spot.name;

describe('arrow keys', () => {
  it('lead to the next cell', () => {
    expect(go('b2', 'right')).toBe('c2');
    expect(go('b2', 'left')).toBe('a2');
    expect(go('b2', 'up')).toBe('b3');
    expect(go('b2', 'down')).toBe('b1');
  });
  it('stay at the edge', () => {
    expect(go('a1', 'left')).toBe('a1');
    expect(go('d4', 'up')).toBe('d4');
  });
  it('reach every cell of a hexagon', () => {
    const spot = (name: string, x: number, y: number, row: number): Target => ({
      step: { cell: x * 100 + y, level: 0 },
      spot: { cell: 0, name, x, y, ground: 'hex' },
      x,
      y,
      area: '',
      row,
    });
    const hexes = [
      spot('top-left', 50, 0, 0),
      spot('top-right', 150, 0, 0),
      spot('left', 0, 87, 1),
      spot('middle', 100, 87, 1),
      spot('right', 200, 87, 1),
    ];
    const middle = targetNamed(hexes, 'middle');
    expect(neighbour(hexes, middle, 'up').spot.name).toMatch(/top/);
    expect(neighbour(hexes, middle, 'left').spot.name).toBe('left');
    const reached = new Set([middle]);
    for (const from of reached) {
      for (const way of ['left', 'right', 'up', 'down'] as const) {
        reached.add(neighbour(hexes, from, way));
      }
    }
    expect(reached.size).toBe(hexes.length);
  });
  it('reach every dark square of a chequered board, and keep to the row', () => {
    const dark = targets.filter(({ spot }) => (spot.x + spot.y) % 4 === 2);
    const b2 = targetNamed(dark, 'b2');
    expect(neighbour(dark, b2, 'right').spot.name).toBe('d2');
    const reached = new Set([b2]);
    for (const from of reached) {
      for (const way of ['left', 'right', 'up', 'down'] as const) {
        reached.add(neighbour(dark, from, way));
      }
    }
    expect(reached.size).toBe(8);
  });
  it('go from column to column, however high they are', () => {
    const heights = [9, 1, 9];
    const columns = heights.flatMap((height, column) =>
      Array.from({ length: height }, (_, level): Target => {
        const name = `${column}.${level + 1}`;
        const [x, y] = [column * 104, -level * 34];
        const spot = { cell: column, name, x, y, ground: 'column' as const };
        return {
          step: { cell: column, level: level + 1 },
          spot,
          x,
          y,
          area: '',
          row: 9 - level,
          column,
        };
      }),
    );
    const from = (name: string, way: Parameters<typeof neighbour>[2]) =>
      neighbour(columns, targetNamed(columns, name), way).spot.name;
    expect(from('0.9', 'right')).toBe('1.1');
    expect(from('1.1', 'right')).toBe('2.1');
    expect(from('2.9', 'left')).toBe('1.1');
    expect(from('1.1', 'up')).toBe('1.1');
    expect(from('2.8', 'up')).toBe('2.9');
    expect(from('2.8', 'down')).toBe('2.7');
    expect(from('0.4', 'left')).toBe('0.4');
  });
  it('go to the ends of a row', () => {
    expect(endOfRow(targets, targetNamed(targets, 'b3'), false).spot.name).toBe('a3');
    expect(endOfRow(targets, targetNamed(targets, 'b3'), true).spot.name).toBe('d3');
  });
});
