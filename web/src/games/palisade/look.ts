/** Stones on the crossings of a grid, within a ring of stones. */
import { box, flatLayout, type Look } from '$lib/board/look';
import type { View } from '$lib/rules/protocol';
import Ground from './Ground.svelte';
import Piece from './Piece.svelte';

/** From the edge of the board to the first line: room for the ring and the coordinates. */
export const MARGIN = 190;

/** How many lines a board has in each direction. */
export const linesOf = (view: View): number =>
  Math.round(Math.sqrt(view.spots.filter((spot) => spot.ground === 'point').length));

export const sizeOf = (view: View): number => (linesOf(view) - 1) * 100 + 2 * MARGIN;

export const placeOn = (size: number) => (spot: { x: number; y: number }) => ({
  x: MARGIN + (spot.x - 1) * 50,
  y: size - MARGIN - (spot.y - 1) * 50,
});

const tokens: Look['tokens'] = { stone: (side) => ({ side }) };

export const look: Look = {
  layout: (view) => {
    const size = sizeOf(view);
    return flatLayout(view, {
      tokens,
      width: size,
      height: size,
      place: placeOn(size),
      area: () => box(100, 100),
      isScenery: (spot) => spot.ground === 'ring',
      scale: (spot) => (spot.ground === 'ring' ? 0.8 : 1),
    });
  },
  seating: 'around',
  tokens,
  picksUp: [],
  Ground,
  Piece,
};
