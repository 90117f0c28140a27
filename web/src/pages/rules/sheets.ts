import { type GameId, GAMES, plainId } from '$games/index';
import { Once } from '$lib/once';
import type { Sheet } from './sheet';

/** The rules of the games, each loaded once. */
export const sheets = new Once<GameId, Sheet>(
  async (game) => (await GAMES[game].loadSheet()).sheet,
);

/** Loads the rules that an address asks for, if it asks for any. */
export async function prepareSheet([wanted = '']: string[]): Promise<void> {
  const game = plainId(wanted);
  if (game) await sheets.get(game);
}
