/** Which steps of a lesson are done; kept in the browser, one key a game. */
import type { GameId } from '$games/index';
import { readJson, remove, writeJson } from '$lib/store/storage';
import { allSteps, type Lesson, type LessonStep } from './lesson';

const VERSION = 1;
const keyOf = (game: GameId) => `stoa.lesson.${game}`;

/** The ids of the steps done. What is damaged or foreign counts as nothing done. */
export function doneSteps(game: GameId): ReadonlySet<string> {
  return readDone(readJson(keyOf(game)));
}

export function readDone(kept: unknown): ReadonlySet<string> {
  if (typeof kept !== 'object' || kept === null) return new Set();
  const { version, done } = kept as { version?: unknown; done?: unknown };
  if (version !== VERSION || !Array.isArray(done)) return new Set();
  return new Set(done.filter((id) => typeof id === 'string'));
}

export function keepDone(game: GameId, done: ReadonlySet<string>): boolean {
  return writeJson(keyOf(game), { version: VERSION, done: [...done] });
}

export function forgetDone(game: GameId): void {
  remove(keyOf(game));
}

/** Where to continue: the first step that is not done; nothing if all are. */
export const nextStep = (lesson: Lesson, done: ReadonlySet<string>): LessonStep | undefined =>
  allSteps(lesson).find(({ id }) => !done.has(id));
