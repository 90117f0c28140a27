/**
 * The language: the one chosen, else one that the browser prefers, else English. Messages ask for it
 * each time, so a page is shown in another language without being loaded anew.
 */
import { readText, writeText } from '$lib/store/storage';
import { baseLocale, isLocale, locales, overwriteGetLocale } from '../../paraglide/runtime.js';

export type Locale = (typeof locales)[number];
export { locales };

const KEY = 'stoa.locale';

function preferred(): Locale {
  const wishes = [readText(KEY) ?? '', ...(globalThis.navigator?.languages ?? [])];
  const known = wishes.flatMap((wish) => [wish, wish.split('-')[0] ?? '']).find(isLocale);
  return known ?? baseLocale;
}

let current = $state<Locale>(preferred());
overwriteGetLocale(() => current);

export const locale = (): Locale => current;

/** Shows the page in a language, this time. */
export function setLocale(chosen: Locale): void {
  current = chosen;
}

/** Shows the page in a language from now on. */
export function chooseLocale(chosen: Locale): void {
  setLocale(chosen);
  writeText(KEY, chosen);
}
