/**
 * The server's clock, from here. Each answer says what time it was there at some moment between
 * question and answer; the estimate is the middle, and wrong by half the time that passed at most.
 */
import type { Side, Situation } from './wire';
import { sideIndex } from '$lib/rules/protocol';

/** After this long a better estimate may be out of date: clocks drift, and people set theirs. */
const FRESH = 10 * 60 * 1000;

export class ServerTime {
  private offset = 0;
  private uncertainty = Infinity;
  private learnt = 0;

  constructor(private readonly localNow: () => number = Date.now) {}

  /** At some moment between these two of ours it was `now` there. */
  learn(asked: number, answered: number, now: number): void {
    const uncertainty = Math.max(0, answered - asked) / 2;
    const offset = now - (asked + answered) / 2;
    // Both can be right only if they overlap; if not, one of the clocks was set meanwhile.
    const contradicts = Math.abs(offset - this.offset) > uncertainty + this.uncertainty;
    const old = Math.abs(answered - this.learnt) > FRESH;
    if (uncertainty > this.uncertainty && !contradicts && !old) return;
    this.offset = offset;
    this.uncertainty = uncertainty;
    this.learnt = answered;
  }

  now(): number {
    return this.localNow() + this.offset;
  }
}

/** What a side's clock shows at a moment of the server's time; nothing where time is not limited. */
export function leftAt(
  situation: Pick<Situation, 'left' | 'running' | 'now'>,
  seat: Side,
  now: number,
): number | undefined {
  const left = situation.left?.[sideIndex(seat)];
  if (left === undefined || situation.running !== seat) return left;
  // An estimate of the time must not give anybody more of it.
  return Math.max(0, left - Math.max(0, now - situation.now));
}
