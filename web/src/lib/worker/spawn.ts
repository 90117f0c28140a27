/** Clients of real workers. */
import { Client, type WorkerLike } from './client';
import { loadModule } from './module';
import type { Kind } from './messages';

export function spawnClient(kind: Kind): Client {
  return new Client({
    kind,
    loadModule,
    makeWorker: () =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        type: 'module',
        name: `stoa-${kind}`,
      }) as WorkerLike,
    isolated: globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function',
  });
}
