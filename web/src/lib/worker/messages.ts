/**
 * What travels between the page and a worker. All workers run the same code (`worker.ts`) with the
 * same module; that they are several is what keeps the board quick while the engine thinks.
 */
import type { Failure } from '$lib/rules/protocol';

export type Kind = 'rules' | 'engine' | 'exact';

/** What a worker does together with others: words that all of them share, and which helper it is, if it does not lead. */
export interface CrewPart {
  words: SharedArrayBuffer;
  helper: number | null;
}

export type ToWorker =
  /** Sent once: the compiled module, memory through which a search can be stopped, and whom it works with. */
  | {
      start: Kind;
      module: WebAssembly.Module;
      stop: SharedArrayBuffer | null;
      crew?: CrewPart | undefined;
    }
  /** A question in JSON, and the network that the engine judges with, if there is one. */
  | { id: number; question: string; net?: Uint8Array | undefined };

export type FromWorker =
  | { ready: true }
  /** News before the answer, in JSON. */
  | { id: number; progress: string }
  /** The answer, in JSON: `{"ok": …}` or `{"error": …}`. */
  | { id: number; answer: string }
  /** The worker is of no more use: a panic, or a module that does not run. */
  | { died: string };

export type Answer<T> = { ok: T } | { error: Failure };
