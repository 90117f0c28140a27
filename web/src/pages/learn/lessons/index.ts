/** The lessons, loaded when they are opened. */
import type { GameId } from '$lib/rules/protocol';
import type { Lesson } from '../lesson';

const LESSONS: Record<GameId, () => Promise<{ lesson: Lesson }>> = {
  colonnade: () => import('./colonnade'),
  impasse: () => import('./impasse'),
  palisade: () => import('./palisade'),
  columna: () => import('./columna'),
  colossus: () => import('./colossus'),
};

export const loadLesson = async (game: GameId): Promise<Lesson> => (await LESSONS[game]()).lesson;

/** How many steps each lesson has, to tell how far someone is before it is loaded. A test compares. */
export const STEP_COUNTS: Record<GameId, number> = {
  colonnade: 13,
  impasse: 13,
  palisade: 14,
  columna: 16,
  colossus: 14,
};
