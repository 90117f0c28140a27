import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What is loaded on the way from the first page to a game that is being played. */
const FIRST =
  /(src\/pages\/home\/Home|src\/pages\/play\/(Play|NewGame|LocalGame)|games\/\w+\/look)/;

/**
 * Lists what a first visit loads up to a playable game, for `cargo xtask test` to compare with the
 * budget: the page, its entry script with everything that imports, the first pages and the boards of
 * all games, the styles of these, the workers and the WebAssembly module. Scripts and styles of other
 * pages and of dialogs are loaded when they are wanted, the fonts when all that is there, and the module for
 * old browsers by these alone.
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
        if (chunk.type !== 'chunk') return;
        const styles = chunk.viteMetadata?.importedCss ?? [];
        for (const other of [...chunk.imports, ...styles]) take(other);
      };
      for (const [name, chunk] of Object.entries(bundle)) {
        const isFirst =
          chunk.type === 'chunk'
            ? chunk.isEntry || FIRST.test(chunk.facadeModuleId ?? '')
            : /(?<!plain_bg[^/]*)\.wasm$|^index\.html$|^first-paint\.js$/.test(name) ||
              /worker.*\.js$/.test(name);
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
