/**
 * Addresses: `#/page/part/part?key=value`. The part after `#` never reaches a server, so the page
 * works as plain files under any path, needs no rules in `stoa serve`, and a link that carries a
 * whole game stays between those who share it.
 */
export interface Route {
  /** The name of the page; empty for the first one. */
  page: string;
  parts: string[];
  query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...parts] = path
    .split('/')
    .map(decoded)
    .filter((part) => part !== '');
  return { page, parts, query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a page: `href('play', 'impasse')` is `#/play/impasse`. */
export function href(
  page: string,
  parts: string[] = [],
  query: Record<string, string> = {},
): string {
  const path = [page, ...parts].filter((part) => part !== '').map(encodeURIComponent);
  const search = new URLSearchParams(query).toString();
  return `#/${path.join('/')}${search === '' ? '' : `?${search}`}`;
}

export const router = $state<{ route: Route }>({
  route: parseRoute(globalThis.location?.hash ?? ''),
});

/** Goes to an address; `replace` leaves no way back to the one before. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, '', address);
    router.route = parseRoute(location.hash);
  } else location.hash = address;
}

export function startRouter(): void {
  addEventListener('hashchange', () => (router.route = parseRoute(location.hash)));
}
