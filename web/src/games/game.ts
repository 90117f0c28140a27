/**
 * What a game's folder contributes to the page. The small things are known from the start; looks,
 * lessons, rules and the words of reviews are loaded when somebody wants them. No rule is here.
 */
import type { Component } from 'svelte';
import type { Look } from '$lib/board/look';
import type { ByPiece, Counted, Counter, Reason, Role, Side } from '$lib/rules/protocol';
import type { Lesson } from '../pages/learn/lesson';
import type { Sheet } from '../pages/rules/sheet';

export type Words = () => string;

/** What the rules object to, by kind. A message takes the facts of its kind. */
export type Objections = Record<string, (facts: never) => string>;

/** What the engine's evaluation counts, by name. */
export type Terms = Record<
  string,
  {
    words: Words;
    /** Whether it is there or not, so that nobody has more or fewer of it. */
    isSingle?: true;
  }
>;

/** Boards or rule sets that a game can be played with: `palisade:7`. */
export interface Options {
  legend: Words;
  /** Every option there is. */
  values: readonly { value: string; label: Words }[];
  /** The options that a new game offers. */
  offered: readonly string[];
  /** The option of a new game, unless somebody chooses another. */
  usual: string;
  /** The option that the game has when none is named. */
  unnamed: string;
  /** The game with an option: "Palisade 7 × 7". */
  name: (option: string) => string;
  /** The options that are rated together with this one, if there are several such groups. */
  ratedName?: (option: string) => string;
  /** An option as a picture. */
  Picture: Component<{ value: string }>;
}

/** The report on a game. */
export interface ReportSource {
  /** Its figures, as `stoa report` writes them. */
  data: string;
  /** The rules whose use is counted, by their ids. */
  rules: Record<string, Words>;
}

export interface GameEntry {
  /** Games keep their names in every language. */
  name: string;
  /**
   * Who made the game, and when. The rules know it too; it is here so that pages can say it before
   * the module is loaded. A test compares.
   */
  designer: string;
  year: number;
  /** The players, in the order in which they move. */
  sides: readonly [Words, Words];
  /** The players in records, the same in every language. */
  recordSides: readonly [string, string];
  aim: Words;
  board: Words;
  /** Width by height of the board, so that its place can be kept before it is drawn. */
  aspect: number;
  /** A moment that shows what the game is about, for its card on the first page. */
  scene: { game: string; position: string };
  /** The game with a board that is small enough for a small picture, if it has several. */
  small?: string;
  options?: Options;
  /** Whether every position is solved, so that exact values can be asked for. */
  isSolved?: true;
  /** How many steps the lesson has, to tell progress before it is loaded. A test compares. */
  lessonSteps: number;
  /** What stands on a cell; of a stack whose pieces can be clicked, one piece or (0) its top. */
  pieces: ByPiece<[sideName: (side: Side) => string, level?: number], string>;
  /** What a click may be for, where this game has its own words for it. */
  roles: { readonly [role in Role]?: Words };
  /** What decides the game, where this game has its own words for it. */
  counted: { readonly [counted in Counted]?: (parts: { count: number }) => string };
  /** How the game ends, where this game has its own words for it. */
  reasons: { readonly [reason in Reason]?: (parts: { loser: string }) => string };
  /** The rules' counters, where this game has its own words for them. */
  counters: { readonly [counter in Counter]?: Words };
  /** How many pieces are in the supply, if there is one. */
  supply?: (parts: { count: number }) => string;
  objections: Objections;
  /** Where the engine's network for the game with an option is, if it has one. */
  net?: (option: string | undefined) => string | undefined;
  /** Where the engine's opening book for the game with an option is; nothing in a game that is solved. */
  loadBook?: () => Promise<{ bookAddress: (option: string | undefined) => string | undefined }>;
  loadLook: () => Promise<{ look: Look }>;
  loadLesson: () => Promise<{ lesson: Lesson }>;
  loadSheet: () => Promise<{ sheet: Sheet }>;
  loadTerms: () => Promise<{ terms: Terms }>;
  loadReport: () => Promise<{ source: ReportSource }>;
}
