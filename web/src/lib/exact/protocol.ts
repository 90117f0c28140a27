/** What is asked about exact values: the page's side of `crates/wasm/src/exact.rs`. */
export type Verdict = 'win' | 'loss' | 'draw';

/** The value of a move for the player who makes it. */
export interface Worth {
  move: string;
  verdict: Verdict;
  /** After how many plies the game ends, this move included, if that is known. */
  plies: number | null;
}

/** The values of the moves that are known so far, the best first. */
export interface Known {
  /** How many legal moves there are. */
  legal: number;
  moves: Worth[];
}
