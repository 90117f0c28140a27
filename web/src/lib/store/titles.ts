/**
 * What a kept game is called. Names are stored only where people gave them, so that the others are
 * said in whatever language the page has now.
 */
import { m } from '$messages';
import { GAMES, optionOf, plainId } from '$games/index';
import { locales } from '$lib/i18n/locale.svelte';
import { levelName } from '$lib/i18n/words';
import type { SavedGame } from './games';

const dateIn = (locale: string, time: number) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(time);

/** Whether a name is one that earlier versions of the page gave by themselves. */
function isAutomatic({ name, game, created }: SavedGame): boolean {
  const id = plainId(game);
  if (name === '' || id === undefined) return true;
  const parts = (locale: string) => ({ game: GAMES[id].name, date: dateIn(locale, created) });
  return locales.some((locale) => m.play_default_name(parts(locale), { locale }) === name);
}

/** The game with its option, where it has one: "Palisade 7 × 7". */
export function variantTitle(game: string): string {
  const id = plainId(game);
  if (id === undefined) return game;
  const { name, options } = GAMES[id];
  const option = optionOf(game);
  return options && option !== undefined ? options.name(option) : name;
}

/** Who plays against whom. */
export function opponentWords({ players }: SavedGame): string {
  const engine = players.find((player) => player.kind === 'engine');
  return engine?.kind === 'engine'
    ? m.play_title_engine({ level: engine.level, name: levelName(engine.level) })
    : m.play_title_friend();
}

/** The game and the opponent. */
export const contentOf = (saved: SavedGame): string =>
  m.play_title_of({ game: variantTitle(saved.game), opponent: opponentWords(saved) });

export const titleOf = (saved: SavedGame): string =>
  isAutomatic(saved) ? contentOf(saved) : saved.name;
