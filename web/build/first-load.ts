import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Lists what a first visit loads, for `cargo xtask test` to compare with the budget: the
 * page, its entry script with everything that imports, the styles, the first pages and boards, the
 * workers and the WebAssembly module. Chunks of other pages are loaded when they are visited.
 */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const wanted = new Set<string>();
      const take = (name: string) => {
        const chunk = bundle[name];
        if (wanted.has(name) || chunk === undefined) return;
        wanted.add(name);
        if (chunk.type === 'chunk') for (const other of chunk.imports) take(other);
      };
      for (const [name, chunk] of Object.entries(bundle)) {
        const isFirst =
          chunk.type === 'chunk'
            ? chunk.isEntry ||
              /(pages\/(home|play)\/|games\/\w+\/look)/.test(chunk.facadeModuleId ?? '')
            : /\.(css|wasm|html)$/.test(name) || /worker.*\.js$/.test(name);
        if (isFirst) take(name);
      }
      const sizes = [...wanted].map((name): [string, number] => {
        const chunk = bundle[name];
        const source = chunk?.type === 'chunk' ? chunk.code : (chunk?.source ?? '');
        return [name, brotliCompressSync(source).length];
      });
      const total = sizes.reduce((sum, [, size]) => sum + size, 0);
      const lines = sizes.map(([name, size]) => `${size} ${name}`);
      this.emitFile({
        type: 'asset',
        fileName: 'first-load.txt',
        source: [...lines, `${total} bytes in all, compressed`, ''].join('\n'),
      });
    },
  };
}
