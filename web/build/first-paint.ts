import { readFileSync } from 'node:fs';
import { type Plugin, transformWithOxc } from 'vite';

const SOURCE = 'src/lib/theme/first-paint.ts';
const NAME = 'first-paint.js';

/** Writes the script that runs before anything is painted, and puts it into the page. */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    async generateBundle() {
      const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE);
      const source = code.replace(/^export \{\s*\};?$/m, '');
      this.emitFile({ type: 'asset', fileName: NAME, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `./${NAME}` }, injectTo: 'head-prepend' }],
    },
  };
}
