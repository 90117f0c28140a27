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

/** Width by height of each board, so that its place can be kept before it is drawn. */
export const ASPECTS: Record<GameId, number> = {
  colonnade: 880 / 520,
  impasse: 1,
  palisade: 1,
  columna: 1,
  colossus: 824 / 759,
};
