/** The module without a page: for tools and tests. */
import { readFileSync } from 'node:fs';
import { GAMES, optionOf, plainId } from '$games/index';

/** What the module asks of its worker. Here it works alone, and is never stopped. */
export const ALONE = {
  stoaNow: () => performance.now(),
  stoaPanicked: (text: string) => {
    throw new Error(text);
  },
  stoaWords: () => 0,
  stoaHelper: () => -1,
};

/** The network that judges a game, as in the page; the engine leaves it aside at levels without one. */
export function netOf(game: string): Uint8Array | undefined {
  const id = plainId(game);
  const name = id && GAMES[id].net?.(optionOf(game))?.split('/').at(-1);
  if (name === undefined) return undefined;
  return readFileSync(new URL(`../../crates/engine/src/games/${id}/${name}`, import.meta.url));
}
