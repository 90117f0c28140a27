/** An inner board with stacks, and a ring of points around it for the pawns. */
import { box, disc, flatLayout, type Look } from '$lib/board/look';
import Ground from './Ground.svelte';
import Piece from './Piece.svelte';

export const MARGIN = 30;
export const SIZE = 9 * 100 + 2 * MARGIN;

export const place = (spot: { x: number; y: number }) => ({
  x: MARGIN + spot.x * 50,
  y: SIZE - MARGIN - spot.y * 50,
});

const tokens: Look['tokens'] = {
  stack: ({ owner, height }) => ({ side: owner, height }),
  pawn: (side) => ({ side }),
};

export const look: Look = {
  layout: (view) =>
    flatLayout(view, {
      tokens,
      width: SIZE,
      height: SIZE,
      place,
      area: (spot) => (spot.ground === 'square' ? box(100, 100) : disc(46)),
    }),
  seating: 'opposite',
  tokens,
  picksUp: ['stack'],
  Ground,
  Piece,
};
