/**
 * What the rules are asked and what they answer: the page's side of `crates/wasm/src/rules.rs`,
 * `record.rs`, `editor/mod.rs`, `explain.rs` and of the types of `stoa-rules` they are made of. This is the only
 * place where they are written down in TypeScript.
 */

export type Side = 'first' | 'second';
export const SIDES: readonly [Side, Side] = ['first', 'second'];
export const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first');
export const sideIndex = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);

/** One click: on a cell, or on one checker of the stack on it (counted from 1; 0 is the cell). */
export interface Step {
  cell: number;
  level: number;
}

export type Role =
  | 'piece'
  | 'target'
  | 'place'
  | 'remove'
  | 'crown-with'
  | 'crowned'
  | 'pawn'
  | 'drop'
  | 'stack'
  | 'pass'
  | 'tower'
  | 'line-end'
  | 'new-tower';

export interface Choices {
  /** What may be clicked next. */
  next: Step[];
  /** What the next click may be for. */
  roles: Role[];
  /** The move that the clicks so far stand for, if they are enough. */
  complete: string | null;
}

export type Ground =
  'column' | 'dark' | 'light' | 'point' | 'ring' | 'square' | 'track' | 'base' | 'hex';

export type Piece =
  | { checkers: Side[] }
  | { single: Side }
  | { double: Side }
  | { stone: Side }
  | { stack: { owner: Side; height: number } }
  | { pawn: Side }
  | { tower: Side | null };

export interface Spot {
  cell: number;
  /** As notation writes it; ring stones of Palisade have none. */
  name: string;
  /** The middle, in half cells from the left. */
  x: number;
  /** The middle, in half cells (in Colossus half rows) from the bottom. */
  y: number;
  ground: Ground;
  piece?: Piece;
  /** Whose territory it is. */
  owner?: Side;
}

export type Counted = 'checkers' | 'points' | 'fours' | 'score';

export interface View {
  spots: Spot[];
  /** What each player has of what counts, the first player first. */
  counts: [number, number];
  counted: Counted;
  supply?: number;
  /** Turns without progress, and after how many the game ends. */
  stall?: [number, number];
}

export type Reason =
  | 'no-move'
  | 'no-checkers'
  | 'territory'
  | 'path'
  | 'blocked'
  | 'no-tower'
  | 'full-board'
  | 'stall'
  | 'resigned'
  | 'time'
  | 'agreed'
  | 'abandoned';

export interface Outcome {
  winner: Side | null;
  reason: Reason;
}

/** All about a position. */
export interface State {
  /** The game with its options, such as `palisade:7`. */
  game: string;
  position: string;
  side: Side;
  outcome: Outcome | null;
  moves: number;
  view: View;
  choices: Choices;
}

export type GameId = 'colonnade' | 'impasse' | 'palisade' | 'columna' | 'colossus';
export const GAME_IDS: readonly GameId[] = [
  'colonnade',
  'impasse',
  'palisade',
  'columna',
  'colossus',
];

/** The plain id of a game with options; nothing if there is no such game. */
export function plainId(game: string): GameId | undefined {
  const id = game.split(':')[0];
  return GAME_IDS.find((known) => known === id);
}

export interface GameInfo {
  id: string;
  info: {
    id: GameId;
    name: string;
    designer: string;
    year: number;
    board: string;
    aim: string;
    sides: [string, string];
    draws: boolean;
  };
  variants: { id: string; option: string | null }[];
}

export interface Games {
  games: GameInfo[];
  levels: { number: number; name: string }[];
}

export interface Played {
  /** The move in canonical text. */
  move: string;
  /** The clicks that stand for it. */
  steps: Step[];
  /** The position after it. */
  state: State;
}

export interface Preview {
  move: string;
  view: View;
  outcome: Outcome | null;
}

/** Something that is against a rule; `objections.ts` has the words. */
export interface Objection {
  /** Such as `impasse-move-crown-due`. */
  kind: string;
  /** What it is about, by name. */
  facts: Record<string, string>;
  /** The same in English, a clause of a sentence. */
  reason: string;
  /** Such as `impasse clause 4`. */
  rule: string;
}

/** Why clicks lead to no legal move. */
export interface Refusal {
  move: string;
  objection: Objection;
}

export interface LineMove {
  move: string;
  /** The position after it. */
  position: string;
}

export interface Line {
  game: string;
  start: string;
  line: LineMove[];
}

/** A move of a record with comments and variations. */
export interface RecordNode {
  move: string;
  glyph?: string;
  comment?: string;
  variations?: RecordNode[][];
}

export interface GameRecord extends Line {
  tags: Record<string, string>;
  comment: string;
  result: Outcome | null;
  result_text: string;
  nodes: RecordNode[];
}

export interface RecordDraft {
  game: string;
  start?: string;
  tags?: [string, string][];
  comment?: string;
  nodes: RecordNode[];
  /** An end that people decided. */
  end?: { winner: Side | null; reason: 'resigned' | 'time' | 'agreed' | 'abandoned' };
}

/** The rules' own counters. */
export type Counter = 'supply' | 'stall' | 'peak';

/** A change to a position that is being set up. */
export type Change =
  /** `piece` is the number of one in `Edited.pieces`; `null` takes away what is there. */
  | { put: { cell: number; piece: number | null } }
  | { side: Side }
  | { count: [Counter, number] }
  | 'clear';

/** A position that is being set up, possible or not. */
export interface Edited {
  game: string;
  /** The setup in text; if there are no reasons against it, the text of the position. */
  setup: string;
  view: View;
  side: Side;
  counters: [Counter, number][];
  /** What can be put on the board. */
  pieces: Piece[];
  /** Every reason why this position cannot be. */
  objections: Objection[];
}

export type FailureKind =
  | 'question'
  | 'unknown-game'
  | 'unreadable'
  | 'impossible'
  | 'other-size'
  | 'illegal'
  | 'game-over'
  | 'other-result'
  | 'no-such-end'
  | 'unknown-level'
  | 'engine'
  | 'bug';

/** Why a question has no answer; `failures.ts` has the words. */
export interface Failure {
  kind: FailureKind;
  /** The whole story in English. */
  message: string;
  /** What it is about, by name; it depends on the kind, and `Kind` in `failure.rs` says how. */
  facts?: Record<string, string>;
  /** Every reason why a position is impossible or a move is not legal. */
  objections?: Objection[];
}

/** Every question with the type of its answer. */
export interface RulesQuestions {
  games: { question: object; answer: Games };
  state: { question: { game: string; position?: string; clicks?: Step[] }; answer: State };
  choices: { question: { game: string; position: string; clicks: Step[] }; answer: Choices };
  moves: { question: { game: string; position: string }; answer: string[] };
  play: { question: { game: string; position: string; move: string }; answer: Played };
  preview: { question: { game: string; position: string; clicks: Step[] }; answer: Preview | null };
  steps: { question: { game: string; position: string; move: string }; answer: Step[] | null };
  explain: { question: { game: string; position: string; clicks: Step[] }; answer: Refusal | null };
  line: { question: { game: string; position?: string; moves: string[] }; answer: Line };
  read: { question: { record: string }; answer: GameRecord };
  write: { question: RecordDraft; answer: string };
  edit: { question: { game: string; setup?: string; changes?: Change[] }; answer: Edited };
}
