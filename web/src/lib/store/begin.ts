/** A new game in this browser. */
import { type ClockControl, newClock } from '$lib/clock/clock';
import { newId, type Player, saveGame, type SavedGame } from './games';
import { readJson } from './storage';

/** Games that could not be kept; they can be played until the page is closed. */
export const unsaved = new Map<string, SavedGame>();

/** What was chosen for the last game. */
export const CHOICE_KEY = 'stoa.last-choice';

/** The level that was played last; a low one at first. */
export function lastLevel(): number {
  const { level } = (readJson(CHOICE_KEY) ?? {}) as { level?: unknown };
  const known = Number(level);
  return known >= 1 && known <= 10 ? Math.round(known) : 2;
}

export interface Beginning {
  /** The game with its options. */
  game: string;
  players: [Player, Player];
  /** The first position, if it is not the game's own. */
  start?: string | undefined;
  moves?: string[];
  clock?: ClockControl | undefined;
}

/** Begins a game and keeps it, if anything can be kept. */
export function beginGame({ game, players, start, moves = [], clock }: Beginning): SavedGame {
  const now = Date.now();
  const saved: SavedGame = {
    version: 1,
    id: newId(),
    name: '',
    game,
    ...(start === undefined ? {} : { start }),
    moves,
    players,
    seed: Math.floor(Math.random() * 2 ** 32),
    created: now,
    updated: now,
    ...(clock ? { clock: newClock(clock) } : {}),
  };
  // A game that cannot be kept can still be played.
  if (!saveGame(saved)) unsaved.set(saved.id, saved);
  return saved;
}
