/** The rules of the games, loaded when they are read. */
import type { GameId } from '$lib/rules/protocol';
import type { Sheet } from '../sheet';

const SHEETS: Record<GameId, () => Promise<{ sheet: Sheet }>> = {
  colonnade: () => import('./colonnade'),
  impasse: () => import('./impasse'),
  palisade: () => import('./palisade'),
  columna: () => import('./columna'),
  colossus: () => import('./colossus'),
};

export const loadSheet = async (game: GameId): Promise<Sheet> => (await SHEETS[game]()).sheet;
