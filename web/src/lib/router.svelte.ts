/**
 * Addresses. Within the page every address is `#/page/part?key=value`, which works from plain files
 * under any path. A server that answers every address of the app with the page says so with a
 * `<base>` in it: then addresses are real ones (`/impasse/rules`, `/game/ID`), and those with `#/`
 * still lead to the same places. What carries a whole game stays behind `#`, where no server sees it.
 */
import { plainId } from '$games/index';

export interface Route {
  /** The name of the page; empty for the first one. */
  page: string;
  parts: string[];
  query: URLSearchParams;
}

/** Pages whose real addresses begin with the game they are about. */
const BY_GAME: readonly string[] = ['play', 'learn', 'rules', 'puzzles', 'report', 'leaderboard'];
/** What is not for servers, whatever page it is for. */
const PRIVATE: readonly string[] = ['g', 'own'];

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...parts] = segments(path);
  return { page, parts, query: new URLSearchParams(query) };
}

/** The route of a real address below the folder of the app. */
export function parsePath(path: string, search = '', hash = ''): Route {
  const [first = '', second = '', ...rest] = segments(path);
  const query = new URLSearchParams(search);
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ''))) query.set(key, value);
  return plainId(first) === undefined
    ? { page: first, parts: second === '' ? [] : [second, ...rest], query }
    : { page: second === '' ? 'play' : second, parts: [first, ...rest], query };
}

const segments = (path: string) =>
  path
    .split('/')
    .map(decoded)
    .filter((part) => part !== '');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A route as an address behind `#`. */
export function hashAddress({ page, parts, query }: Route): string {
  const path = [page, ...parts].filter((part) => part !== '').map(encodeURIComponent);
  const search = query.toString();
  return `#/${path.join('/')}${search === '' ? '' : `?${search}`}`;
}

/** A route as a real address below the folder of the app. */
export function pathAddress(base: string, { page, parts, query }: Route): string {
  const [first = '', ...rest] = parts;
  const isByGame = BY_GAME.includes(page) && plainId(first) !== undefined;
  const path = (isByGame ? [first, page, ...rest] : [page, ...parts])
    .filter((part) => part !== '')
    .map(encodeURIComponent);
  const [open, hidden] = [new URLSearchParams(), new URLSearchParams()];
  for (const [key, value] of query) (PRIVATE.includes(key) ? hidden : open).set(key, value);
  const [search, hash] = [open.toString(), hidden.toString()];
  return (
    base + path.join('/') + (search === '' ? '' : `?${search}`) + (hash === '' ? '' : `#${hash}`)
  );
}

/** The folder of the app, where addresses are real ones. */
const BASE = ((): string | undefined => {
  const base = globalThis.document?.querySelector('base');
  return base ? new URL(base.href).pathname : undefined;
})();

/** An address as it is written into links. */
const written = (route: Route): string =>
  BASE === undefined ? hashAddress(route) : pathAddress(BASE, route);

/** The address of a page: `href('play', ['impasse'])` is `#/play/impasse`. */
export function href(
  page: string,
  parts: string[] = [],
  query: Record<string, string> = {},
): string {
  return written({ page, parts, query: new URLSearchParams(query) });
}

/** The route of what stands in the address line. */
function current(): Route {
  const { pathname = '', search = '', hash = '' } = globalThis.location ?? {};
  if (BASE === undefined || hash.startsWith('#/')) return parseRoute(hash);
  return parsePath(pathname.startsWith(BASE) ? pathname.slice(BASE.length) : '', search, hash);
}

/** The route that an address within the app leads to; nothing if it leads elsewhere. */
function routeTo(address: string): Route | undefined {
  if (address.startsWith('#/')) return parseRoute(address);
  const { origin, pathname, search, hash } = new URL(address, document.baseURI);
  if (origin !== location.origin || BASE === undefined || !pathname.startsWith(BASE)) return;
  // Files have names with a dot; pages do not.
  if (/\.\w+$/.test(pathname)) return;
  return hash.startsWith('#/')
    ? parseRoute(hash)
    : parsePath(pathname.slice(BASE.length), search, hash);
}

export const router = $state<{ route: Route; visits: number }>({
  route: current(),
  /** How often somebody went to another place, rather than the address being put right. */
  visits: 0,
});

/** Goes to an address; `replace` leaves no way back to the one before. */
export function go(address: string, { replace = false } = {}): void {
  const route = routeTo(address);
  if (BASE === undefined && !replace) {
    location.hash = address;
    return;
  }
  const target = route ? written(route) : address;
  if (replace) history.replaceState(null, '', target);
  else {
    history.pushState(null, '', target);
    router.visits += 1;
    scrollTo(0, 0);
  }
  router.route = current();
}

/** An address within the page, for the browser to open elsewhere or for people to send. */
export function fullAddress(link: string): string {
  const folder = BASE === undefined ? location.href.replace(/#.*$/, '') : document.baseURI;
  return new URL(link, folder).href;
}

export function startRouter(): void {
  const arrive = () => {
    router.route = current();
    router.visits += 1;
  };
  addEventListener('hashchange', () => {
    arrive();
    tidy();
  });
  if (BASE === undefined) return;
  addEventListener('popstate', arrive);
  addEventListener('click', follow);
  tidy();
}

/** An address with `#/` becomes the real one. */
function tidy(): void {
  if (BASE !== undefined && location.hash.startsWith('#/')) {
    history.replaceState(null, '', written(router.route));
  }
}

/** A click on a link within the app does not load the page again. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!link || !isPlain || event.altKey || event.defaultPrevented) return;
  if (link.target !== '' || link.hasAttribute('download')) return;
  if (link.getAttribute('href') === null || !routeTo(link.href)) return;
  event.preventDefault();
  go(link.href);
}
