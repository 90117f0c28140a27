/** A part of a game that is reviewed at the same time as others. */
export interface Part {
  /** The first move, counted from zero. */
  from: number;
  /** The move after the last one that is its own. */
  end: number;
  /** The move after the last one that is looked at: one that is another part's tells what the last own one led to. */
  until: number;
}

/** With fewer moves, a part takes as long to begin as to review. */
const MIN_MOVES = 6;

/** The parts of a game of so many moves, if so many engines may work at once. */
export function partsOf(moves: number, engines: number): Part[] {
  const most = Math.min(engines, Math.floor(moves / MIN_MOVES));
  const count = Math.max(1, most);
  return Array.from({ length: count }, (_, part) => {
    const [from, end] = [part, part + 1].map((one) => Math.round((one * moves) / count));
    return { from: from ?? 0, end: end ?? moves, until: Math.min((end ?? moves) + 1, moves) };
  });
}
