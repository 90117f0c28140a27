/**
 * Games kept in the browser, each under a key of its own in localStorage: a game is a few
 * kilobytes, and writing it is done before the next line runs, so nothing is lost when the page
 * is closed. What cannot be read is never written over.
 */
import { type Clock, isClock } from '$lib/clock/clock';
import type { Outcome } from '$lib/rules/protocol';
import { keys, readText, remove, writeText } from './storage';

export type Player = { kind: 'person' } | { kind: 'engine'; level: number };

export interface SavedGame {
  version: 1;
  id: string;
  /** What its owner calls it; empty if nothing, then `titleOf` has words for it. */
  name: string;
  /** The game with its options. */
  game: string;
  /** The first position, if it is not the game's own. */
  start?: string;
  moves: string[];
  /** Who plays, the first player first. */
  players: [Player, Player];
  /** What the slips of the engine depend on. */
  seed: number;
  created: number;
  updated: number;
  /** How it ended, on the board or by people. */
  outcome?: Outcome;
  /** From which side the board is seen, if someone has turned it. */
  turned?: boolean;
  /** Whether its owner wants to find it again. */
  starred?: boolean;
  /** The players' time, if it is limited. */
  clock?: Clock;
}

export interface Damaged {
  key: string;
  text: string;
}

const PREFIX = 'stoa.game.';
const keyOf = (id: string) => PREFIX + id;

export function newId(): string {
  return (
    Date.now().toString(36) +
    Math.floor(Math.random() * 36 ** 4)
      .toString(36)
      .padStart(4, '0')
  );
}

export type Loaded = { game: SavedGame } | { damaged: Damaged } | { missing: true };

export function loadGame(id: string): Loaded {
  const text = readText(keyOf(id));
  if (text === undefined) return { missing: true };
  const game = parseGame(text);
  return game?.id === id ? { game } : { damaged: { key: keyOf(id), text } };
}

/** Every game, the latest first, and whatever else lies in their place. */
export function listGames(): { games: SavedGame[]; damaged: Damaged[] } {
  const games: SavedGame[] = [];
  const damaged: Damaged[] = [];
  for (const key of keys(PREFIX)) {
    const loaded = loadGame(key.slice(PREFIX.length));
    if ('game' in loaded) games.push(loaded.game);
    else if ('damaged' in loaded) damaged.push(loaded.damaged);
  }
  games.sort((a, b) => b.updated - a.updated);
  return { games, damaged };
}

/** Keeps a game; returns whether it could be kept. A damaged game of the same id stays. */
export function saveGame(game: SavedGame): boolean {
  if ('damaged' in loadGame(game.id)) return false;
  return writeText(keyOf(game.id), JSON.stringify(game));
}

/** Whether a change of the store, made by another tab, is about a game. */
export const isAboutGame = (event: StorageEvent, id: string): boolean =>
  event.storageArea === globalThis.localStorage && event.key === keyOf(id);

export function deleteGame(id: string): void {
  remove(keyOf(id));
}

export function deleteDamaged({ key }: Damaged): void {
  remove(key);
}

/** The game of a text, if it is one of ours. Whether its moves are legal, the rules say later. */
export function parseGame(text: string): SavedGame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const game = value as Record<string, unknown>;
  const isText = (one: unknown): one is string => typeof one === 'string';
  const isNumber = (one: unknown) => typeof one === 'number' && Number.isFinite(one);
  const fits =
    game['version'] === 1 &&
    [game['id'], game['name'], game['game']].every(isText) &&
    (game['start'] === undefined || isText(game['start'])) &&
    ['undefined', 'boolean'].includes(typeof game['turned']) &&
    ['undefined', 'boolean'].includes(typeof game['starred']) &&
    (game['clock'] === undefined || isClock(game['clock'])) &&
    [game['seed'], game['created'], game['updated']].every(isNumber) &&
    Array.isArray(game['moves']) &&
    game['moves'].every(isText) &&
    Array.isArray(game['players']) &&
    game['players'].length === 2 &&
    game['players'].every(isPlayer);
  return fits ? (value as SavedGame) : undefined;
}

function isPlayer(value: unknown): value is Player {
  if (typeof value !== 'object' || value === null) return false;
  const player = value as Record<string, unknown>;
  if (player['kind'] === 'person') return true;
  const level = player['level'];
  return (
    player['kind'] === 'engine' &&
    Number.isInteger(level) &&
    Number(level) >= 1 &&
    Number(level) <= 10
  );
}
