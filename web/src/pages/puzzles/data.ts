/**
 * The puzzles, as `stoa puzzles GAME` makes them: one file for every game, or for every board or
 * rule set of it. A file is a chunk of its own, which is loaded when somebody wants its puzzles.
 */
import type { GameId } from '$games/index';
import type { Puzzle } from '$lib/worker/questions.generated';

export type { Puzzle, PuzzleGoal, Theme } from '$lib/worker/questions.generated';

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
