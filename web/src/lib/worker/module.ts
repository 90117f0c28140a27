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

async function load(): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== 'object') throw new NoModule('no WebAssembly');
  const response = await fetch(url);
  if (!response.ok) throw new NoModule(`${response.status} ${response.statusText}`);
  // Some static file servers do not know the type that streaming asks for.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm');
  return streams
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
