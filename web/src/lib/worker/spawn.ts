/** Clients of real workers. */
import { Client, type WorkerLike } from './client';
import { isIsolated } from './isolated';
import { loadModule } from './module';
import type { CrewPart, Kind } from './messages';

export function spawnClient(kind: Kind, crew?: CrewPart): Client {
  return new Client({
    kind,
    crew,
    loadModule,
    makeWorker: () =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        type: 'module',
        name: `stoa-${kind}`,
      }) as WorkerLike,
    isolated: isIsolated,
  });
}
