/** The games there are, in the order in which pages list them. Each is a folder here. */
import type { Look } from '$lib/board/look';
import { colonnade } from './colonnade';
import { colossus } from './colossus';
import { columna } from './columna';
import type { GameEntry } from './game';
import { impasse } from './impasse';
import { palisade } from './palisade';

const ENTRIES = { colonnade, impasse, palisade, columna, colossus };

export type GameId = keyof typeof ENTRIES;
export const GAMES: Record<GameId, GameEntry> = ENTRIES;
export const GAME_IDS = Object.keys(ENTRIES) as unknown as readonly [GameId, ...GameId[]];
export type Entries = typeof ENTRIES;

/** The plain id of a game with options; nothing if there is no such game. */
export function plainId(game: string): GameId | undefined {
  const id = game.split(':')[0];
  return GAME_IDS.find((known) => known === id);
}

/** What is written after the colon of a game with an option. */
export const optionOf = (game: string): string | undefined => game.split(':')[1];

/** Whether best play is known from every position of a game with its options. */
export function isSolved(game: string): boolean {
  const id = plainId(game);
  return id !== undefined && GAMES[id].isSolved === true;
}

/** A game with the option that is usual for a new game. */
export function usualVariant(game: GameId): string {
  const { options } = GAMES[game];
  return options ? `${game}:${options.usual}` : game;
}

export const loadLook = async (game: GameId): Promise<Look> => (await GAMES[game].loadLook()).look;
