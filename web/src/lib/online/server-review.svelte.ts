/** The computer's review of a game on the server: asked for, waited for, there. */
import { askReview, reviewOnServer } from './api';
import type { GameReview } from './wire';

/** How often the server is asked how far it is. */
const POLL_INTERVAL_MS = 2500;

export class ServerReview {
  /** What the server says; nothing until it has answered. */
  found = $state.raw<GameReview | undefined>();
  asking = $state(false);
  error = $state.raw<unknown>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(readonly game: string) {}

  /** Whether it is being waited for. */
  get isUnderWay(): boolean {
    return this.found?.state === 'waiting' || this.found?.state === 'running';
  }

  /** Looks what there is, and goes on looking while it is under way. */
  async look(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.found = await reviewOnServer(this.game);
      this.error = undefined;
    } catch (error) {
      this.error = error;
    }
    this.wait();
  }

  async ask(): Promise<void> {
    clearTimeout(this.timer);
    this.asking = true;
    try {
      this.found = await askReview(this.game);
      this.error = undefined;
    } catch (error) {
      this.error = error;
    } finally {
      this.asking = false;
    }
    this.wait();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private wait(): void {
    clearTimeout(this.timer);
    if (!this.closed && this.isUnderWay) {
      this.timer = setTimeout(() => void this.look(), POLL_INTERVAL_MS);
    }
  }
}
