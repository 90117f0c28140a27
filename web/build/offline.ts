import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';
import { VECTOR_PROBE } from '../src/lib/worker/simd.ts';
import { filesOf } from './files.ts';

const SOURCE = 'src/lib/offline/service-worker.ts';

/** Writes the service worker, with the list of everything that it keeps. */
export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = 'dist' }) {
        const files: Record<string, string> = {};
        for (const path of filesOf(dir)) files[path] = sha256(readFileSync(join(dir, path)));
        const version = sha256(JSON.stringify(files)).slice(0, 12);
        const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE);
        const list = [
          `const VERSION = '${version}';`,
          `const FILES = ${JSON.stringify(files)};`,
          `const VECTOR_PROBE = ${JSON.stringify(VECTOR_PROBE)};`,
        ];
        const script = code.replace(/^export \{\s*\};?$/m, '');
        writeFileSync(join(dir, 'service-worker.js'), [...list, script].join('\n'));
      },
    },
  };
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
