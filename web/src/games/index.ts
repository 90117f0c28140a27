/** The looks of the games, loaded when a game is shown. */
import type { Look } from '$lib/board/look';
import type { GameId } from '$lib/rules/protocol';

const LOOKS: Record<GameId, () => Promise<{ look: Look }>> = {
  colonnade: () => import('./colonnade/look'),
  impasse: () => import('./impasse/look'),
  palisade: () => import('./palisade/look'),
  columna: () => import('./columna/look'),
  colossus: () => import('./colossus/look'),
};

export const loadLook = async (game: GameId): Promise<Look> => (await LOOKS[game]()).look;
