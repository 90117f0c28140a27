/** Which puzzles were solved, and how many in a row; kept in the browser. */
import { readText, remove, writeText } from '$lib/store/storage';
import type { Puzzle } from './data';

export interface Progress {
  version: 1;
  /** How each puzzle was solved: at the first attempt, or with help. */
  solved: Record<string, 'clean' | 'helped'>;
  /** How many were solved at the first attempt, one after the other. */
  streak: number;
  best: number;
}

const KEY = 'stoa.puzzles';
export const noProgress = (): Progress => ({ version: 1, solved: {}, streak: 0, best: 0 });

export function loadProgress(): Progress {
  return parseProgress(readText(KEY) ?? '') ?? noProgress();
}

/** Keeps the progress; returns whether it could be kept. What cannot be read is not overwritten. */
export function saveProgress(progress: Progress): boolean {
  const there = readText(KEY);
  if (there !== undefined && parseProgress(there) === undefined) return false;
  return writeText(KEY, JSON.stringify(progress));
}

export const forgetProgress = (): void => remove(KEY);

export function parseProgress(text: string): Progress | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, solved, streak, best } = value as Record<string, unknown>;
  const isCount = (one: unknown) => Number.isInteger(one) && Number(one) >= 0;
  const fits =
    version === 1 &&
    isCount(streak) &&
    isCount(best) &&
    typeof solved === 'object' &&
    solved !== null &&
    Object.values(solved).every((how) => how === 'clean' || how === 'helped');
  return fits ? (value as Progress) : undefined;
}

/** A puzzle was solved. Help leaves the streak as it is; a solution once found cleanly stays so. */
export function withSolved(progress: Progress, id: string, how: 'clean' | 'helped'): Progress {
  const streak = how === 'clean' ? progress.streak + 1 : progress.streak;
  const kept = progress.solved[id] === 'clean' ? 'clean' : how;
  return {
    ...progress,
    solved: { ...progress.solved, [id]: kept },
    streak,
    best: Math.max(progress.best, streak),
  };
}

/** Two devices' solved puzzles together. */
export function best(one: Progress['solved'], other: Progress['solved']): Progress['solved'] {
  const both = { ...one };
  for (const [id, how] of Object.entries(other)) if (both[id] !== 'clean') both[id] = how;
  return both;
}

/** A wrong move was made, or the solution looked at. */
export const withMiss = (progress: Progress): Progress => ({ ...progress, streak: 0 });

/**
 * The puzzle to be solved after another: the next that is not solved, in the order of the list and
 * from the start of it again; when all are solved, simply the next.
 */
export function nextPuzzle(
  puzzles: readonly Puzzle[],
  progress: Progress,
  after?: string,
): Puzzle | undefined {
  const from = puzzles.findIndex(({ id }) => id === after) + 1;
  const turned = [...puzzles.slice(from), ...puzzles.slice(0, from)];
  const others = turned.filter(({ id }) => id !== after);
  return others.find(({ id }) => progress.solved[id] === undefined) ?? turned[0];
}

/** Puzzles of several games, a game after the other, the easy ones first. */
export function mixed(lists: readonly Puzzle[][]): Puzzle[] {
  const ranked = lists.flatMap((list) => list.map((puzzle, index) => ({ puzzle, index })));
  ranked.sort((a, b) => a.puzzle.grade - b.puzzle.grade || a.index - b.index);
  return ranked.map(({ puzzle }) => puzzle);
}
