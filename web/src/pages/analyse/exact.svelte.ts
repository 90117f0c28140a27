/** Exact values of the moves of a position, where they are known. */
import { GAMES, plainId } from '$games/index';
import { Oracle } from '$lib/exact';
import type { Known } from '$lib/worker/questions.generated';
import { Stopped } from '$lib/worker/client';

export class ExactValues {
  known = $state.raw<Known | null>(null);
  asking = $state(false);
  failed = $state(false);
  private readonly oracle = new Oracle();
  private aim = '';

  follow(wanted: { game: string; position: string } | null): void {
    const game = wanted === null ? undefined : plainId(wanted.game);
    const target = game !== undefined && GAMES[game].isSolved ? wanted : null;
    const aim = target === null ? '' : target.position;
    if (aim === this.aim) return;
    this.aim = aim;
    this.known = null;
    this.failed = false;
    this.asking = target !== null;
    if (target === null) this.oracle.stop();
    else void this.ask(aim, target.game);
  }

  /** Gives the memory of the table back. */
  close(): void {
    this.follow(null);
    this.oracle.close();
  }

  private async ask(position: string, game: string): Promise<void> {
    const tell = (known: Known | null) => {
      if (this.aim === position) this.known = known;
    };
    try {
      tell(await this.oracle.ask(game, position, tell));
    } catch (error) {
      if (error instanceof Stopped || this.aim !== position) return;
      this.failed = true;
    }
    if (this.aim === position) this.asking = false;
  }
}
