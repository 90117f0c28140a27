/** A row of columns seen from the side; every checker is a drum. */
import { box, type Layout, type Look, type Target, type Token } from '$lib/board/look';
import type { View } from '$lib/rules/protocol';
import Ground from './Ground.svelte';
import Piece from './Piece.svelte';

export const COLUMN = 104;
export const WIDTH = 8 * COLUMN + 48;
export const HEIGHT = 520;
/** Where the drums stand. */
export const FLOOR = 428;
export const DRUM = { width: 88, height: 34 };
/** Columns can be clicked from here down. */
const SKY = 60;
/** Stacks higher than this are drawn with flatter drums. */
const ROOMY = 9;

export const columnX = (x: number): number => 24 + (x / 2) * COLUMN;

function layout(view: View): Layout {
  const stacks = view.spots.map((spot) => ({
    spot,
    checkers: spot.piece && 'checkers' in spot.piece ? spot.piece.checkers : [],
  }));
  const tallest = Math.max(ROOMY, ...stacks.map((stack) => stack.checkers.length));
  const step = (DRUM.height * ROOMY) / tallest;
  const tokens: Token[] = [];
  const targets: Target[] = [];
  for (const { spot, checkers } of stacks) {
    const x = columnX(spot.x);
    const column = Math.floor(spot.x / 2);
    checkers.forEach((side, index) => {
      const y = FLOOR - step * (index + 0.5);
      const level = index + 1;
      const scale = step / DRUM.height;
      tokens.push({ cell: spot.cell, level, kind: 'checkers', side, height: 1, x, y, scale });
      const area = box(COLUMN, step);
      const outline = box(DRUM.width + 8, step - 3);
      const row = tallest - index;
      targets.push({ step: { cell: spot.cell, level }, spot, x, y, area, outline, row, column });
    });
    // The space above the stack is the column as a whole; its mark is where a drum would come down.
    const top = FLOOR - step * checkers.length;
    const y = top - step / 2;
    const area = `M${-COLUMN / 2} ${SKY - y}h${COLUMN}v${top - SKY}h${-COLUMN}z`;
    const outline = box(DRUM.width + 8, step - 3);
    const footing = `M-47 ${FLOOR - 1 - y}h94v13h-94z`;
    targets.push({
      step: { cell: spot.cell, level: 0 },
      spot,
      x,
      y,
      area,
      outline,
      footing,
      row: 0,
      column,
    });
  }
  return { width: WIDTH, height: HEIGHT, targets, tokens };
}

export const look: Look = {
  layout,
  tokens: { checkers: (sides) => ({ side: sides.at(-1) ?? null, height: sides.length }) },
  picksUp: ['piece'],
  Ground,
  Piece,
};
