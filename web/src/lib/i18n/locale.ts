/** The language: the one chosen, else one that the browser prefers, else English. */
import { readText, writeText } from '$lib/store/storage';
import { baseLocale, isLocale, locales, overwriteGetLocale } from '../../paraglide/runtime.js';

export type Locale = (typeof locales)[number];

const KEY = 'stoa.locale';

function preferred(): Locale {
  const chosen = readText(KEY);
  const wishes = [chosen ?? '', ...(globalThis.navigator?.languages ?? [])];
  const known = wishes.flatMap((wish) => [wish, wish.split('-')[0] ?? '']).find(isLocale);
  return known ?? baseLocale;
}

export const locale: Locale = preferred();
overwriteGetLocale(() => locale);

/** Keeps the choice and shows the page anew in it. */
export function chooseLocale(chosen: Locale): void {
  writeText(KEY, chosen);
  location.reload();
}
