/** A chequered board; checkers, and crowned doubles. */
import { box, flatLayout, type Look } from '$lib/board/look';
import Ground from './Ground.svelte';
import Piece from './Piece.svelte';

export const MARGIN = 46;
export const SIZE = 8 * 100 + 2 * MARGIN;

const tokens: Look['tokens'] = {
  single: (side) => ({ side }),
  double: (side) => ({ side, height: 2 }),
};

export const look: Look = {
  layout: (view) =>
    flatLayout(view, {
      tokens,
      width: SIZE,
      height: SIZE,
      place: (spot) => ({ x: MARGIN + spot.x * 50, y: SIZE - MARGIN - spot.y * 50 }),
      area: () => box(100, 100),
      isScenery: (spot) => spot.ground === 'light',
    }),
  seating: 'opposite',
  tokens,
  picksUp: ['piece'],
  Ground,
  Piece,
};
