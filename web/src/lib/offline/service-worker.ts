/**
 * The service worker: keeps every file of one version and answers from that, with or without a
 * network. It is complete or it is not installed, so parts of two versions never meet.
 *
 * The build (`build/offline.ts`) puts the list of files in front of this and makes it a plain script,
 * which every browser takes.
 */
export {};
declare const self: ServiceWorkerGlobalScope;
/** Every file of this version, with the SHA-256 of what is in it. */
declare const FILES: Record<string, string>;
declare const VERSION: string;
/** What is valid where WebAssembly has vector instructions (`lib/worker/simd.ts`). */
declare const VECTOR_PROBE: number[];

// The scope is in the name, because several copies may live on one host.
const NAMES = `stoa ${self.registration.scope} `;
const NAME = NAMES + VERSION;
const PAGE = 'index.html';
const addressOf = (path: string) => new URL(path, self.registration.scope).href;
/** Of the two modules a browser needs only one. */
const isPlain = (path: string) => path.includes('stoa_wasm_plain_bg');
const hasVectors = WebAssembly.validate(new Uint8Array(VECTOR_PROBE));
const isNeeded = (path: string) => !path.endsWith('.wasm') || isPlain(path) !== hasVectors;
const files = Object.entries(FILES).filter(([path]) => isNeeded(path));
const known = new Map(files.map(([path]) => [addressOf(path), addressOf(path)]));
known.set(self.registration.scope, addressOf(PAGE));
/** Where the page is kept as a server sends it that answers every address of the app with it. */
const REAL_PAGE = addressOf('?page');

self.addEventListener('install', (event) => {
  event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(NAMES) && name !== NAME) await caches.delete(name);
      }
      // The first visit has the whole app at once, also the pages that were not loaded yet.
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  // Boards in other people's pages: who may show them, only the server says.
  if (url.searchParams.has('embed')) return;
  url.hash = '';
  if (event.request.mode === 'navigate') url.search = '';
  const kept = known.get(url.href);
  if (event.request.method !== 'GET') return;
  if (event.request.mode === 'navigate') {
    const isOurs = kept === addressOf(PAGE) || kept === undefined;
    if (isOurs) event.respondWith(answerPage(kept, event));
  } else if (kept !== undefined) event.respondWith(answer(kept, event));
});

/**
 * The page, at its own address or at one of the app's where the server knows those. What is neither is
 * asked of the network first: it may be the server's.
 */
async function answerPage(kept: string | undefined, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(NAME);
  const real = await cache.match(REAL_PAGE);
  if (kept !== undefined) return real ?? answer(kept, event);
  if (real === undefined) return fetch(event.request);
  return fetch(event.request).catch(() => real);
}

/** What the server pushes while the page is closed. */
interface News {
  title: string;
  body: string;
  /** Where a click leads, within the page. */
  address: string;
}

self.addEventListener('push', (event) => {
  event.waitUntil(tell(newsOf(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { address } = (event.notification.data ?? {}) as Partial<News>;
  event.waitUntil(goTo(isAddress(address) ? address : '#/online'));
});

/** Only addresses within the page are followed. */
const isAddress = (address: unknown): address is string =>
  typeof address === 'string' && address.startsWith('#/');

function newsOf(data: PushMessageData | null): News {
  let told: Partial<News> = {};
  try {
    told = (data?.json() ?? {}) as Partial<News>;
  } catch {
    // A message that cannot be read still says that there is something new.
  }
  const text = (value: unknown, usual: string) => (typeof value === 'string' ? value : usual);
  const address = isAddress(told.address) ? told.address : '#/online';
  return { title: text(told.title, 'Stoa'), body: text(told.body, ''), address };
}

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function tell({ title, body, address }: News): Promise<void> {
  // A person who is looking at the page sees it there.
  const isSeen = (await windows()).some((client) => client.visibilityState === 'visible');
  if (isSeen) return;
  const icon = addressOf('icons/icon-192.png');
  await self.registration.showNotification(title, { body, tag: address, icon, data: { address } });
}

async function goTo(address: string): Promise<void> {
  const [open] = await windows();
  if (open === undefined) {
    await self.clients.openWindow(self.registration.scope + address);
    return;
  }
  open.postMessage({ go: address });
  await open.focus();
}

async function answer(address: string, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(NAME);
  // Browsers may throw away what they keep.
  return (await cache.match(address)) ?? fetch(event.request);
}

async function fill(): Promise<void> {
  const cache = await caches.open(NAME);
  const keep = async ([path, hash]: [string, string]) => {
    const address = addressOf(path);
    const response =
      (await sameFromBefore(address, hash)) ?? (await fetch(address, { cache: 'no-cache' }));
    const content = await response.arrayBuffer();
    // The host may have got another version in the meantime, or answer with a page of its own.
    if (!response.ok || (await sha256(content)) !== hash) {
      throw new Error(`${path} is not of version ${VERSION}`);
    }
    await cache.put(address, isolated(response, content));
  };
  try {
    await Promise.all(files.map(keep));
    await keepRealPage(cache);
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/** A server with real addresses puts a `<base>` into the page: then it is kept with one, too. */
async function keepRealPage(cache: Cache): Promise<void> {
  const { scope } = self.registration;
  const sent = await fetch(scope, { cache: 'no-cache' })
    .then((response) => response.text())
    .catch(() => '');
  const page = await cache.match(addressOf(PAGE));
  if (!sent.includes('<base ') || page === undefined) return;
  const base = `<base href="${new URL(scope).pathname.replaceAll('"', '%22')}">`;
  const text = (await page.clone().text()).replace('<head>', `<head>${base}`);
  const content = new TextEncoder().encode(text).buffer;
  await cache.put(REAL_PAGE, isolated(page, content as ArrayBuffer));
}

/** A file that the version before had already. */
async function sameFromBefore(address: string, hash: string): Promise<Response | undefined> {
  const kept = await caches.match(address);
  const same = kept && (await sha256(await kept.clone().arrayBuffer())) === hash;
  return same ? kept : undefined;
}

async function sha256(content: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * With these headers the page may share memory with its workers. Hosts of plain files seldom send
 * them; from here they come with every file.
 */
function isolated(response: Response, content: ArrayBuffer): Response {
  const headers = new Headers(response.headers);
  headers.delete('Content-Encoding');
  headers.delete('Content-Length');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(content, { status: 200, headers });
}
