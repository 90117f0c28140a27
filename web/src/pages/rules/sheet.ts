/** What a page of rules is made of. */
import type { GameId } from '$games/index';

type Words = () => string;

/** A position; with a move, it can be played. */
export interface Diagram {
  game: string;
  position: string;
  move?: string;
  caption: Words;
}

export interface Entry {
  id: string;
  /** The clauses of the rule sheet that it explains. */
  clauses: string[];
  title: Words;
  text: Words[];
  diagrams: Diagram[];
}

export interface Sheet {
  game: GameId;
  /**
   * How many clauses and rulings the rule sheet has, and which figures have a name. The rules know a
   * clause only when it forbids something, so a test compares lessons and entries with this.
   */
  contents: { clauses: number; rulings: number; figures: string[] };
  idea: Words;
  entries: Entry[];
  /** What the designer left open and Stoa has settled. */
  rulings: { id: string; text: Words }[];
  notation: { example: string; meaning: Words }[];
  position: { text: string; meaning: Words };
  hints: Words[];
}
