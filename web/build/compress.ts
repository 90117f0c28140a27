import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { filesOf } from './files.ts';

/** Puts compressed copies beside the files, for servers that can send them (`stoa serve` does). */
export function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir = 'dist' }) {
        for (const path of filesOf(dir)) {
          if (!/\.(html|js|css|wasm|svg|json|webmanifest)$/.test(path)) continue;
          const content = readFileSync(join(dir, path));
          writeFileSync(join(dir, `${path}.br`), brotliCompressSync(content));
          writeFileSync(join(dir, `${path}.gz`), gzipSync(content, { level: 9 }));
        }
      },
    },
  };
}
