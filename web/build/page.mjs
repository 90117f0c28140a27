/**
 * Builds the page: `node build/page.mjs [quick]`. The same as `vite build`, but it ends when it is
 * done: the compiler of the messages leaves timers behind that would keep it for half a minute.
 */
import { build } from 'vite';

const mode = process.argv[2] ?? 'production';
try {
  await build({ mode, logLevel: 'warn' });
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
