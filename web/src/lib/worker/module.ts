/** The WebAssembly module, loaded and compiled once for all workers. */
import quick from '../../wasm/stoa_wasm_bg.wasm?url';
import { hasVectors } from './simd';

/** The same without vector instructions, for old browsers. Quick builds do not have it. */
const plain = Object.values(
  import.meta.glob<string>('../../wasm/stoa_wasm_plain_bg.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
)[0];

let compiled: Promise<WebAssembly.Module> | undefined;

/** Why nothing works here, if that is so. */
export class NoModule extends Error {
  constructor(
    message: string,
    /** The browser is too old, so trying again is of no use. */
    readonly isTooOld = false,
  ) {
    super(message);
  }
}

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
  if (typeof WebAssembly !== 'object') throw new NoModule('no WebAssembly', true);
  const url = hasVectors() ? quick : plain;
  if (url === undefined) throw new NoModule('no vector instructions', true);
  await painted;
  const response = await fetch(url);
  if (!response.ok) throw new NoModule(`${response.status} ${response.statusText}`);
  // Some static file servers do not know the type that streaming asks for.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm');
  try {
    return await (streams
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch (error) {
    // The plain module needs nothing that is not in every browser since 2021.
    const isTooOld = url === plain && error instanceof WebAssembly.CompileError;
    throw new NoModule(String(error), isTooOld);
  }
}
