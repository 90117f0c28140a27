/**
 * The pages at fixed addresses as they look before anything is known about the reader, for servers that
 * send them in advance: their words can be read while the scripts are still on their way. It runs while
 * the page is built (`build/addresses.ts`) and is no part of it.
 */
import { render } from 'svelte/server';
import { GAME_IDS } from '$games/index';
import { DAY } from '$lib/day';
import { locales, setLocale } from '$lib/i18n/locale.svelte';
import { parsePath, parseRoute, pathAddress, type Route, router } from '$lib/router.svelte';
import App from '../App.svelte';
import { pages } from './addresses';
import { prepare } from './pages';

export { pages };

/** HTML by language. What changes by the day has as many as there are games, in turn. */
export type Prerendered = Record<string, string[]>;

/** Deeper addresses begin with the frame that all pages have. */
const MAX_PARTS = 2;

/** The frame of all pages, and the pages by path. */
export async function prerenderAll(): Promise<{
  frame: Prerendered;
  pages: Record<string, Prerendered>;
}> {
  const found: Record<string, Prerendered> = {};
  const frame: Prerendered = {};
  for (const locale of locales) {
    setLocale(locale);
    frame[locale] = [await prerender({ page: 'game', parts: [], query: new URLSearchParams() }, 0)];
    for (const [path, page] of Object.entries(pages)) {
      if (page.private || path.split('/').length > MAX_PARTS) continue;
      const days = path === '' ? GAME_IDS.map((_, day) => day) : [0];
      const drawn: string[] = [];
      for (const day of days) drawn.push(await prerender(parsePath(path), day));
      found[path] = { ...found[path], [locale]: drawn };
    }
  }
  return { frame, pages: found };
}

async function prerender(route: Route, day: number): Promise<string> {
  router.route = route;
  const first = route.page === 'game' ? undefined : await prepare(route);
  const { body } = render(App, { props: { first }, context: new Map([[DAY, day]]) });
  // The comments in it are where Svelte finds the parts of the page again (`main.ts`).
  return body.replace(/ href="(#\/[^"]*)"/g, (_, hash: string) => {
    const address = pathAddress('./', parseRoute(hash.replaceAll('&amp;', '&')));
    return ` href="${address.replaceAll('&', '&amp;')}"`;
  });
}
