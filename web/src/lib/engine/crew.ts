/**
 * Workers that help the engine's own with a search. They share no memory with it but some words, in which the engine
 * hands over what pays (`crates/engine/src/crew.rs`); so they are there only where a page may share memory.
 */
import { Stopped, type Client } from '$lib/worker/client';
import type { CrewPart } from '$lib/worker/messages';

/** Room for some 65,000 positions, in words of four bytes. */
const WORDS = 270_000;

/** Helpers that nobody has needed for so long are ended: each has a table of its own. */
export const MAX_IDLE_MS = 30_000;

interface Helper {
  client: Client;
  /** What it was asked last. */
  last: Promise<unknown>;
}

export class Crew {
  /** The crew that has helpers. A page has one at a time, however many engines it has: helpers take memory. */
  private static working: Crew | undefined;
  private readonly words = new SharedArrayBuffer(4 * WORDS);
  private readonly helpers: Helper[] = [];
  /** The searches that they work on. */
  private readonly busy = new Set<AbortController>();
  private idle: ReturnType<typeof setTimeout> | undefined;

  /** So many helpers, started when they are first needed. */
  constructor(
    private readonly count: number,
    private readonly spawn: (part: CrewPart) => Client,
  ) {}

  /** The part of the engine that leads. */
  get leader(): CrewPart {
    return { words: this.words, helper: null };
  }

  /** Lets all helpers work on what the leader is asked, until the function that comes back is called. */
  begin(question: object, net: Uint8Array | undefined): () => void {
    clearTimeout(this.idle);
    if (Crew.working !== this) Crew.working?.close(new Stopped('another engine has the helpers'));
    Crew.working = this;
    const helping = new AbortController();
    const { signal } = helping;
    this.busy.add(helping);
    for (let number = 0; number < this.count; number += 1) {
      const helper = (this.helpers[number] ??= {
        client: this.spawn({ words: this.words, helper: number }),
        last: Promise.resolve(),
      });
      // A stop is heard by whatever a worker is doing, so one question waits for the end of the one before. A helper
      // that fails is missed by nobody: the leader searches alone.
      helper.last = helper.last
        .then(() => (signal.aborted ? undefined : helper.client.ask(question, { signal, net })))
        .catch(() => undefined);
    }
    return () => {
      helping.abort();
      this.busy.delete(helping);
      clearTimeout(this.idle);
      if (this.busy.size > 0) return;
      this.idle = setTimeout(() => this.close(new Stopped('not needed')), MAX_IDLE_MS);
    };
  }

  /** Ends the helpers and gives their memory back. */
  close(error: Error): void {
    clearTimeout(this.idle);
    if (Crew.working === this) Crew.working = undefined;
    // Questions that still wait for an earlier one would start their helpers again.
    for (const helping of this.busy) helping.abort();
    for (const { client } of this.helpers.splice(0)) client.end(error);
  }
}
