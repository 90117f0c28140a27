/**
 * The puzzles, as `stoa puzzles GAME` makes them: one file for every game, or for every board or
 * rule set of it. A file is a chunk of its own, which is loaded when somebody wants its puzzles.
 */
import type { GameId } from '$games/index';

export type Theme =
  | 'block'
  | 'path'
  | 'bear-off'
  | 'crown'
  | 'transpose'
  | 'removal'
  | 'capture'
  | 'loop'
  | 'claim'
  | 'siege';

/**
 * What the right move does, and no other: it wins; it wins within so many of one's own turns; it
 * keeps the opponent from winning within so many of theirs.
 */
export type Goal = 'win' | { 'win-within': number } | { hold: number };

/** `stoa_solve::puzzles::Puzzle`. */
export interface Puzzle {
  id: string;
  /** The game with its options. */
  game: string;
  position: string;
  goal: Goal;
  /** 1 to 5. */
  grade: number;
  theme?: Theme;
  /** Turns to the end of the game, where the goal does not say it. */
  plies?: number;
  turns: { accepted: string[]; reply?: string }[];
  /** How the game may go on. */
  rest?: string[];
}

const files = import.meta.glob<Puzzle[]>('./data/*.json', { import: 'default' });

/** All puzzles of a game, the easy ones first. */
export async function loadPuzzles(game: GameId): Promise<Puzzle[]> {
  const own = Object.entries(files).filter(([path]) => belongsTo(path, game));
  const lists = await Promise.all(own.map(([, load]) => load()));
  return lists.flat().sort((a, b) => a.grade - b.grade || compare(a.id, b.id));
}

/** `./data/palisade-7.json` belongs to Palisade. */
export const belongsTo = (path: string, game: GameId): boolean =>
  new RegExp(`/${game}(-\\w+)?\\.json$`).test(path);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
