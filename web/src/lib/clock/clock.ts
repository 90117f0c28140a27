/**
 * Two clocks of a game in this browser. A value that never changes: what happens makes another one.
 * While the page is closed nobody's time runs, so only what is left is kept.
 */
import { type Side, sideIndex } from '$lib/rules/protocol';

export interface ClockControl {
  /** Milliseconds for the whole game, and what each move adds. */
  initial: number;
  increment: number;
}

export interface Clock {
  control: ClockControl;
  /** What is left of each player's time, in milliseconds, the first player first. */
  left: [number, number];
}

/** Whose clock runs, and since when. */
export interface Running {
  side: Side;
  since: number;
}

export const newClock = (control: ClockControl): Clock => ({
  control,
  left: [control.initial, control.initial],
});

/** What a side has left at a moment. */
export function leftOf(clock: Clock, side: Side, running: Running | null, now: number): number {
  const left = clock.left[sideIndex(side)];
  return running?.side === side ? Math.max(0, left - (now - running.since)) : left;
}

/** The clock when it stops running; `moved` adds what a move adds. */
export function stopped(clock: Clock, running: Running, now: number, moved: boolean): Clock {
  const left = leftOf(clock, running.side, running, now);
  const added = moved && left > 0 ? left + clock.control.increment : left;
  const [first, second] = clock.left;
  return {
    ...clock,
    left: running.side === 'first' ? [added, second] : [first, added],
  };
}

/** Whether a value from a store is a clock. */
export function isClock(value: unknown): value is Clock {
  const { control, left } = (value ?? {}) as Partial<Clock>;
  const isTime = (one: unknown) => typeof one === 'number' && Number.isFinite(one) && one >= 0;
  return (
    isTime(control?.initial) &&
    isTime(control?.increment) &&
    Array.isArray(left) &&
    left.length === 2 &&
    left.every(isTime)
  );
}
