/**
 * What a game contributes to the board: where things are and how they are drawn. There is one
 * interface for all games, and nothing in it knows a rule.
 *
 * Lengths are in board units; a cell is about 100 of them wide.
 */
import type { Component } from 'svelte';
import { type ByPiece, byPiece, pieceKind } from '$lib/rules/protocol';
import type { Piece, Role, Side, Spot, Step, View } from '$lib/rules/protocol';

/** Something that can be clicked: a cell, or one checker of a stack. */
export interface Target {
  step: Step;
  spot: Spot;
  /** Its middle, where marks are drawn. */
  x: number;
  y: number;
  /** Its area, as an SVG path relative to the middle. */
  area: string;
  /** What is outlined when it may be clicked, if that is less than the area. */
  outline?: string;
  /** What lights up when the last move changed the cell, if that is not the area. */
  footing?: string;
  /** The row of the grid it is read out in, from the top. */
  row: number;
  /** The column it is in from the left, where the arrow keys go by columns of different heights. */
  column?: number;
}

/** A thing that stands on the board and is drawn, moved and removed as one. */
export interface Token {
  cell: number;
  /** Which checker of its stack, from 1; 0 for things that stand alone. */
  level: number;
  /** The kind of piece, as the rules call it. */
  kind: string;
  /** Whose it is, if anybody's. */
  side: Side | null;
  /** How many pieces a stack has. */
  height: number;
  /** Whether it stays where it is while its cell is selected. */
  isFixed?: boolean;
  x: number;
  y: number;
  /** A factor for its size; 1 unless the look wants less. */
  scale: number;
}

/** A token that is known from one position to the next. */
export interface LivingToken extends Token {
  id: number;
}

export interface Layout {
  width: number;
  height: number;
  targets: Target[];
  tokens: Token[];
}

/** A move that is being made: by whom, and the cells clicked so far and under the pointer. */
export interface Tried {
  side: Side;
  cells: readonly number[];
}

/** What of a token is known from its piece alone. A height that is left out is 1. */
export type TokenOf = Pick<Token, 'side' | 'isFixed'> & { height?: number };

export interface Look {
  /** Where everything is. Width and height depend on the game alone, so that nothing jumps. */
  layout(view: View): Layout;
  /** How every kind of piece of the game is drawn as one token. */
  tokens: ByPiece<[], TokenOf>;
  /** What a click on a piece is for if it picks the piece up, so that it can be dragged. */
  picksUp: readonly Role[];
  /**
   * Pieces that may be picked up but seldom should be: they are not outlined among those that can move,
   * so that nobody takes that for advice.
   */
  rarelyMoves?: (piece: Piece) => boolean;
  /**
   * How the players sit. `opposite` each other: the second player sees the board turned. `around` it:
   * it may be turned, and nobody sees it better. Otherwise it is seen from one side only.
   */
  seating?: 'opposite' | 'around';
  /**
   * The board beneath the pieces. `turned` says that the view is from the other side; `tried` are the
   * cells of the move that is being made.
   */
  Ground: Component<{ view: View; layout: Layout; turned: boolean; tried: Tried }>;
  /** One piece, drawn around the origin. */
  Piece: Component<{ token: Token }>;
}

/** The same as seen from the other side of the board. */
export function turnedView(view: View): View {
  const sum = (all: number[]) => Math.min(...all) + Math.max(...all);
  const [x, y] = [sum(view.spots.map((spot) => spot.x)), sum(view.spots.map((spot) => spot.y))];
  return { ...view, spots: view.spots.map((spot) => ({ ...spot, x: x - spot.x, y: y - spot.y })) };
}

/** A rectangle around the origin, as a path. */
export const box = (width: number, height: number): string =>
  `M${-width / 2} ${-height / 2}h${width}v${height}h${-width}z`;

/** A circle around the origin, as a path. */
export const disc = (radius: number): string =>
  `M${-radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0z`;

/** A piece as one token. */
export function tokenOf(
  tokens: Look['tokens'],
  piece: Piece,
): Pick<Token, 'kind' | 'side' | 'height' | 'isFixed'> {
  return { kind: pieceKind(piece), height: 1, ...byPiece(tokens, piece) };
}

/** The layout of a board of cells side by side, each with at most one token. */
export function flatLayout(
  view: View,
  options: {
    tokens: Look['tokens'];
    width: number;
    height: number;
    place: (spot: Spot) => { x: number; y: number };
    area: (spot: Spot) => string;
    /** Spots that cannot be clicked or read out. */
    isScenery?: (spot: Spot) => boolean;
    scale?: (spot: Spot) => number;
  },
): Layout {
  const { width, height, place, area } = options;
  const shown = view.spots.filter((spot) => !(options.isScenery?.(spot) ?? false));
  const ranks = [...new Set(shown.map((spot) => spot.y))].sort((a, b) => b - a);
  const targets = shown.map((spot) => ({
    step: { cell: spot.cell, level: 0 },
    spot,
    ...place(spot),
    area: area(spot),
    row: ranks.indexOf(spot.y),
  }));
  const tokens = view.spots.flatMap((spot) =>
    spot.piece === undefined
      ? []
      : [
          {
            cell: spot.cell,
            level: 0,
            ...tokenOf(options.tokens, spot.piece),
            ...place(spot),
            scale: options.scale?.(spot) ?? 1,
          },
        ],
  );
  return { width, height, targets, tokens };
}
