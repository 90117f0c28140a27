/** Boards for tests: a row of cells, and a look without pictures. */
import type { Component } from 'svelte';
import type { Choices, Piece, Spot, State, View } from '$lib/rules/protocol';
import { box, flatLayout, type Look, type Target } from './look';

const nothing = (() => ({})) as unknown as Component<Record<string, unknown>>;

const tokens: Look['tokens'] = {
  stone: (side) => ({ side }),
  single: (side) => ({ side }),
  double: (side) => ({ side, height: 2 }),
  stack: ({ owner, height }) => ({ side: owner, height }),
  tower: (side) => ({ side, isFixed: true }),
};

export const plainLook: Look = {
  tokens,
  picksUp: ['piece'],
  layout: (view) =>
    flatLayout(view, {
      tokens,
      width: 800,
      height: 800,
      place: (spot) => ({ x: spot.x * 50, y: 800 - spot.y * 50 }),
      area: () => box(100, 100),
    }),
  Ground: nothing as Look['Ground'],
  Piece: nothing as Look['Piece'],
};

/** A square board; `pieces` by the number of the cell. */
export function viewOf(size: number, pieces: Record<number, Piece> = {}): View {
  const spots = Array.from({ length: size * size }, (_, cell): Spot => {
    const [file, rank] = [cell % size, Math.floor(cell / size)];
    const piece = pieces[cell];
    return {
      cell,
      name: `${'abcdefgh'[file]}${rank + 1}`,
      x: 2 * file + 1,
      y: 2 * rank + 1,
      ground: 'square',
      ...(piece === undefined ? {} : { piece }),
    };
  });
  return { spots, counts: [0, 0], counted: 'checkers' };
}

export const choicesOf = (cells: number[], complete: string | null = null): Choices => ({
  next: cells.map((cell) => ({ cell, level: 0 })),
  roles: ['piece'],
  complete,
});

export function stateOf(view: View, choices: Choices): State {
  const [game, position] = ['test', 'here'];
  return { game, position, side: 'first', outcome: null, moves: 1, view, choices };
}

export function targetNamed(targets: readonly Target[], name: string): Target {
  const found = targets.find((target) => target.spot.name === name);
  if (!found) throw new Error(`no cell ${name}`);
  return found;
}
