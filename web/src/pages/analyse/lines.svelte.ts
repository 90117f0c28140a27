/**
 * The engine's lines, live. It follows the position it is given, restarts when that changes, and
 * rests while nobody looks at the page.
 */
import { Engine } from '$lib/engine';
import { enginesHere } from '$lib/engine/cores';
import { milliseconds, type Score, type Thought } from '$lib/engine/protocol';
import type { Side } from '$lib/rules/protocol';
import { Stopped } from '$lib/worker/client';

export const MAX_LINES = 5;

export class LiveLines {
  thought = $state.raw<Thought | null>(null);
  thinking = $state(false);
  failed = $state(false);
  private readonly engine = new Engine(enginesHere() - 1);
  private aim = '';
  /** The worker is asked again once after a death, not for ever. */
  private deaths = 0;

  /** Thinks about a position, or about nothing. */
  follow(wanted: { game: string; position: string; lines: number } | null): void {
    const aim = wanted === null ? '' : JSON.stringify(wanted);
    if (aim === this.aim) return;
    this.aim = aim;
    this.failed = false;
    this.thought = null;
    this.engine.stop();
    this.thinking = wanted !== null;
    if (wanted !== null) void this.think(aim, wanted);
  }

  /** Thinks about nothing for a while; what was found stays. */
  rest(): void {
    this.aim = '';
    this.thinking = false;
    this.engine.stop();
  }

  close(): void {
    this.follow(null);
    this.engine.close();
  }

  private async think(
    aim: string,
    { game, position, lines }: { game: string; position: string; lines: number },
  ): Promise<void> {
    const tell = (thought: Thought) => {
      if (this.aim === aim) this.thought = thought;
    };
    try {
      // The depth says that values are wanted, not a move to play; no search comes so far.
      tell(await this.engine.ask('think', { game, position, lines, limits: { depth: 200 } }, tell));
      this.deaths = 0;
    } catch (error) {
      if (error instanceof Stopped || this.aim !== aim) return;
      this.deaths += 1;
      if (this.deaths < 2) return await this.think(aim, { game, position, lines });
      this.failed = true;
    }
    if (this.aim === aim) this.thinking = false;
  }
}

/** The same value for the first player. */
export function forFirst(score: Score, side: Side): Score {
  if (side === 'first') return score;
  const proven = score.proven === null ? null : score.proven === 'win' ? 'loss' : 'win';
  return {
    points: score.points === null ? null : -score.points,
    win_probability: 1 - score.win_probability,
    proven,
    turns: score.turns,
  };
}

/** Positions a second. */
export const speedOf = (thought: Thought): number => {
  const time = milliseconds(thought.time);
  return time > 0 ? (thought.nodes / time) * 1000 : 0;
};

/** `+1.25` for a value of 125 points. */
export function pointsText(points: number): string {
  const shown = (Math.abs(points) / 100).toFixed(2);
  return `${points < 0 ? '−' : '+'}${shown}`;
}

/** `1.2 M` and the like. */
export const shortNumber = (count: number): string =>
  new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
