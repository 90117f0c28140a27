/** The WebAssembly module, loaded and compiled once for all workers. */
import url from '../../wasm/stoa_wasm_bg.wasm?url';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Why nothing works here, if that is so. */
export class NoModule extends Error {}

export function loadModule(): Promise<WebAssembly.Module> {
  compiled ??= load().catch((error: unknown) => {
    // The next one to ask may have more luck, for example online again.
    compiled = undefined;
    throw error instanceof NoModule ? error : new NoModule(String(error));
  });
  return compiled;
}

/** So long at most the first picture of the page is waited for. */
const PAINT_TIMEOUT_MS = 1000;

/** The page has been seen for the first time: its words come before what is most of a first visit. */
const painted = new Promise<void>((resolve) => {
  // A tab that nobody sees is not painted, and older browsers do not say when they have painted.
  const isSeen = globalThis.document?.visibilityState === 'visible';
  if (!isSeen || !PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve();
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    resolve();
  });
  observer.observe({ type: 'paint', buffered: true });
  setTimeout(resolve, PAINT_TIMEOUT_MS);
});

async function load(): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== 'object') throw new NoModule('no WebAssembly');
  await painted;
  const response = await fetch(url);
  if (!response.ok) throw new NoModule(`${response.status} ${response.statusText}`);
  // Some static file servers do not know the type that streaming asks for.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm');
  return streams
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
