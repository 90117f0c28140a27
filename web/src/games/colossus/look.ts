/** A hexagon of hexagons, with towers. */
import { flatLayout, type Look } from '$lib/board/look';
import Ground from './Ground.svelte';
import Piece from './Piece.svelte';

/** From the middle of a hexagon to its corners; its width is then 100. */
export const RADIUS = 100 / Math.sqrt(3);
const ROW = RADIUS * 1.5;
const MARGIN = 62;
export const WIDTH = 700 + 2 * MARGIN;
export const HEIGHT = 6 * ROW + 2 * RADIUS + 2 * MARGIN;

export const place = (spot: { x: number; y: number }) => ({
  x: MARGIN + spot.x * 50,
  y: HEIGHT - MARGIN - RADIUS - ((spot.y - 1) / 2) * ROW,
});

/** A hexagon around the origin that stands on a corner. */
export function hexagon(radius: number): string {
  const corner = (i: number) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  return `M${[0, 1, 2, 3, 4, 5].map(corner).join('L')}z`;
}

const tokens: Look['tokens'] = {
  stone: (side) => ({ side }),
  tower: (side) => ({ side, isFixed: true }),
};

export const look: Look = {
  layout: (view) =>
    flatLayout(view, {
      tokens,
      width: WIDTH,
      height: HEIGHT,
      place,
      area: () => hexagon(RADIUS),
    }),
  seating: 'opposite',
  tokens,
  picksUp: ['piece'],
  // A stone that leaves its tower leaves it empty; with the only tower that loses (clause 6).
  rarelyMoves: (piece) => typeof piece === 'object' && 'tower' in piece && piece.tower !== null,
  Ground,
  Piece,
};
