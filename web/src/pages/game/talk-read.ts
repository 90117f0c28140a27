/** Up to when the talk in games was read, for the games that were looked at last. */
import { readJson, writeJson } from '$lib/store/storage';

const KEY = 'stoa.talk-read';
const MAX_GAMES = 100;

type Entry = [game: string, at: number];

function entries(): Entry[] {
  const kept = readJson(KEY);
  const isEntry = (one: unknown): one is Entry =>
    Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'number';
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

export const talkReadUntil = (game: string): number =>
  entries().find(([id]) => id === game)?.[1] ?? 0;

export function readTalk(game: string, at: number): void {
  if (talkReadUntil(game) >= at) return;
  const others = entries().filter(([id]) => id !== game);
  writeJson(KEY, [...others, [game, at]].slice(-MAX_GAMES));
}
