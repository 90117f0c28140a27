import { fileURLToPath } from 'node:url';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { addresses } from './build/addresses.ts';
import { compress } from './build/compress.ts';
import { firstLoad } from './build/first-load.ts';
import { firstPaint } from './build/first-paint.ts';
import { offline } from './build/offline.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// With these the page may share memory with its workers, which is how a search is stopped at once.
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// `--mode quick` is for playing soon on this machine: nothing is compressed or weighed.
export default defineConfig(({ mode }) => ({
  // Relative addresses: the page works under any path, from any static file server.
  base: './',
  plugins: [
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      // `lib/i18n/locale.ts` decides: the usual strategies fail where the store is switched off.
      strategy: ['globalVariable', 'baseLocale'],
      emitTsDeclarations: mode !== 'quick',
    }),
    svelte(),
    firstPaint(),
    addresses(mode !== 'quick'),
    mode !== 'quick' && firstLoad(),
    // In this order: what is kept for use offline are the plain files.
    offline(),
    mode !== 'quick' && compress(),
  ],
  resolve: {
    alias: {
      $lib: at('./src/lib'),
      $games: at('./src/games'),
      $messages: at('./src/paraglide/messages.js'),
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { headers: isolation },
  preview: { headers: isolation },
}));
