/** What a page of rules is made of. */
import type { GameId } from '$lib/rules/protocol';

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
  /** The clauses of the rule sheet that it tells. */
  clauses: string[];
  title: Words;
  text: Words[];
  diagrams: Diagram[];
}

export interface Sheet {
  game: GameId;
  idea: Words;
  entries: Entry[];
  /** What the designer left open and Stoa has settled. */
  rulings: { id: string; text: Words }[];
  notation: { example: string; meaning: Words }[];
  position: { text: string; meaning: Words };
  hints: Words[];
}
