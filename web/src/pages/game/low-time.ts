/** When a clock is low, and when it shows something else next. */
import type { TimeControl } from '$lib/online/wire';

const HOUR = 3_600_000;

/** Below this a clock is low, in milliseconds: a tenth of the game, half a minute at most. */
export function lowTime(control: TimeControl): number {
  if (control.kind === 'days') return 6 * HOUR;
  if (control.kind === 'unlimited') return 0;
  return Math.min(30_000, Math.max(10_000, control.initial * 100));
}

/** How long a face stays as it is; tenths are shown in the last ten seconds. */
export function untilNextFace(left: number): number {
  if (left > 24 * HOUR) return 60_000;
  const step = left <= 10_000 ? 100 : 1000;
  // Timers may be a little early, which would show the same face again.
  return (left % step || step) + 5;
}
