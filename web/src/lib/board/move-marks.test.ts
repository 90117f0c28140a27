import { describe, expect, it } from 'vitest';
import { arrowPath } from '$lib/board/arrow';
import { flatLayout } from '$lib/board/look';
import type { Piece, View } from '$lib/rules/protocol';
import { plainLook } from '$lib/board/testing';
import { marksOf } from './move-marks';

/** A row of cells with these pieces. */
function view(pieces: (Piece | undefined)[]): View {
  const spots = pieces.map((piece, cell) => ({
    cell,
    name: String(cell),
    x: 2 * cell + 1,
    y: 1,
    ground: 'square' as const,
    ...(piece === undefined ? {} : { piece }),
  }));
  return { spots, counts: [0, 0], counted: 'checkers' };
}
const layout = (seen: View) =>
  flatLayout(seen, {
    tokens: plainLook.tokens,
    width: 1,
    height: 1,
    place: ({ x, y }) => ({ x: x * 50, y: y * 50 }),
    area: () => '',
  });
const tokens = (seen: View) => layout(seen).tokens.map((token, id) => ({ ...token, id }));

describe('marks of a move', () => {
  it('are an arrow for what goes', () => {
    const before = view([{ single: 'first' }, undefined, undefined]);
    const after = view([undefined, undefined, { single: 'first' }]);
    const steps = [0, 2].map((cell) => ({ cell, level: 0 }));
    expect(marksOf(tokens(before), layout(after), steps)).toEqual({
      arrows: [{ from: { x: 50, y: 50 }, to: { x: 250, y: 50 } }],
      rings: [],
    });
  });

  it('are a ring for what appears or changes', () => {
    const before = view([undefined, { stack: { owner: 'second', height: 1 } }]);
    const after = view([{ stone: 'first' }, { stack: { owner: 'first', height: 2 } }]);
    const { arrows, rings } = marksOf(tokens(before), layout(after), []);
    expect(arrows).toEqual([]);
    expect(rings.map(({ x }) => x).sort((a, b) => a - b)).toEqual([50, 150]);
  });
});

it('an arrow ends where it points, however short', () => {
  for (const to of [
    { x: 300, y: 0 },
    { x: 5, y: 5 },
    { x: 0, y: 0 },
  ]) {
    const path = arrowPath({ from: { x: 0, y: 0 }, to }, 20);
    expect(path).not.toContain('NaN');
    expect(path).toContain(`L${to.x.toFixed(1)} ${to.y.toFixed(1)}`);
  }
});
