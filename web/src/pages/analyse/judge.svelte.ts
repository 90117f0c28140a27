/** Has every position of a line judged, for the graph. */
import { GameJudge, type Told } from '$lib/review/judging';
import { Stopped } from '$lib/worker/client';

/** Milliseconds for each position. */
const POSITION_TIME_MS = 400;

export class Judge {
  running = $state(false);
  progress = $state.raw<Told | null>(null);
  failed = $state(false);
  private readonly judges = new GameJudge();

  /** How probable it is that the first player wins, at the start and after each move. */
  async judge(game: string, start: string, moves: string[]): Promise<number[] | undefined> {
    this.running = true;
    this.failed = false;
    this.progress = null;
    try {
      const asked = { game, start, moves };
      const review = await this.judges.review(
        asked,
        POSITION_TIME_MS,
        (told) => (this.progress = told),
      );
      return review.complete ? review.curve : undefined;
    } catch (error) {
      if (!(error instanceof Stopped)) this.failed = true;
      return undefined;
    } finally {
      this.running = false;
    }
  }

  stop(): void {
    this.judges.stop();
  }

  close(): void {
    this.judges.close();
  }
}
