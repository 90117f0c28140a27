/**
 * Exact values, in a worker of their own that is started with the first question: the engine can go
 * on thinking meanwhile. Only the latest question counts; those before it fail with `Stopped`.
 */
import { type Client, Stopped } from '$lib/worker/client';
import { spawnClient } from '$lib/worker/spawn';
import type { Known } from '$lib/worker/questions.generated';

export class Oracle {
  private client: Pick<Client, 'ask' | 'interrupt' | 'end'> | undefined;
  private current: AbortController | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  /**
   * Whether the worker has its table. Making it takes longer than most questions, so until then
   * nothing is interrupted: stepping through a game would start it again with every move.
   */
  private isReady = false;

  constructor(
    private readonly spawn: () => Pick<Client, 'ask' | 'interrupt' | 'end'> = () =>
      spawnClient('exact'),
    /** Whether a busy worker hears that it should stop; elsewhere it would be ended instead. */
    private readonly canInterrupt = globalThis.crossOriginIsolated,
  ) {}

  /** What every legal move is worth; `progress` is called with what is known so far. */
  async ask(
    game: string,
    position: string,
    progress: (known: Known) => void,
  ): Promise<Known | null> {
    this.stop();
    const mine = new AbortController();
    this.current = mine;
    const before = this.queue;
    const answer = (async () => {
      await before.catch(() => undefined);
      if (mine.signal.aborted) throw new Stopped('stopped');
      this.client ??= this.spawn();
      const told = (known: unknown) => {
        this.isReady = true;
        if (!mine.signal.aborted) progress(known as Known);
      };
      try {
        const found = await this.client.ask({ ask: 'exact', game, position }, { progress: told });
        if (mine.signal.aborted) throw new Stopped('stopped');
        return found as Known | null;
      } catch (error) {
        if (!(error instanceof Stopped)) this.isReady = false;
        throw error;
      }
    })();
    this.queue = answer;
    return answer;
  }

  /** Withdraws the question. */
  stop(): void {
    const asked = this.current;
    this.current = undefined;
    if (asked === undefined) return;
    asked.abort();
    if (this.isReady && this.canInterrupt) this.client?.interrupt();
  }

  /** Ends the worker and gives its memory back; a later question starts another. */
  close(): void {
    this.stop();
    this.client?.end(new Stopped('closed'));
    this.isReady = false;
  }
}
