/** Has the engine judge every position of a line, for the graph. */
import { Engine } from '$lib/engine';
import type { ReviewProgress } from '$lib/engine/protocol';
import { Stopped } from '$lib/worker/client';

/** Milliseconds for each position. */
const POSITION_TIME_MS = 400;

export class Judge {
  running = $state(false);
  progress = $state.raw<ReviewProgress | null>(null);
  failed = $state(false);
  private readonly engine = new Engine();

  /** How probable it is that the first player wins, at the start and after each move. */
  async judge(game: string, start: string, moves: string[]): Promise<number[] | undefined> {
    this.running = true;
    this.failed = false;
    this.progress = null;
    try {
      const question = { game, start, moves, limits: { time: POSITION_TIME_MS } };
      const review = await this.engine.ask('review', question, (now) => (this.progress = now));
      return review.complete ? review.curve : undefined;
    } catch (error) {
      if (!(error instanceof Stopped)) this.failed = true;
      return undefined;
    } finally {
      this.running = false;
    }
  }

  stop(): void {
    this.engine.stop();
  }

  close(): void {
    this.engine.close();
  }
}
