import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Messages are compiled by `npm run messages`; the build's plugin would keep the tests from ending.
export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: {
      $lib: at('./src/lib'),
      $games: at('./src/games'),
      $messages: at('./src/paraglide/messages.js'),
    },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
