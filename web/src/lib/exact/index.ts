/**
 * Exact values, in a worker of their own that is started with the first question: the engine can go
 * on thinking meanwhile. A new question stops the one before it, which then fails with `Stopped`.
 */
import type { GameId } from '$lib/rules/protocol';
import { type Client, Stopped } from '$lib/worker/client';
import { spawnClient } from '$lib/worker/spawn';
import type { Known } from './protocol';

/** The games of which every position is known; of the others nothing is. */
const SOLVED: readonly GameId[] = ['colonnade'];
export const isSolved = (game: GameId): boolean => SOLVED.includes(game);

export class Oracle {
  private client: Client | undefined;
  private current: AbortController | undefined;

  /** What every legal move is worth; `news` is told what is known so far. */
  async ask(game: string, position: string, news: (known: Known) => void): Promise<Known | null> {
    this.stop();
    const mine = new AbortController();
    this.current = mine;
    this.client ??= spawnClient('exact');
    const question = { ask: 'exact', game, position };
    const told = (known: unknown) => {
      if (!mine.signal.aborted) news(known as Known);
    };
    const answer = await this.client.ask(question, { news: told, signal: mine.signal });
    if (mine.signal.aborted) throw new Stopped('stopped');
    return answer as Known | null;
  }

  stop(): void {
    this.current?.abort();
    this.current = undefined;
  }

  /** Ends the worker and gives its memory back; a later question starts another. */
  close(): void {
    this.stop();
    this.client?.end(new Stopped('closed'));
  }
}
