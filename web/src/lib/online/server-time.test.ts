import { describe, expect, it } from 'vitest';
import { leftAt, ServerTime } from './server-time';

describe("the server's time", () => {
  it('is taken to be in the middle between question and answer', () => {
    let local = 0;
    const time = new ServerTime(() => local);
    time.learn(1000, 1200, 51_100);
    local = 2000;
    expect(time.now()).toBe(52_000);
  });
  it('is learnt from the quickest answer', () => {
    const time = new ServerTime(() => 0);
    time.learn(0, 100, 5050);
    // Slow, and consistent with what is known.
    time.learn(200, 2200, 5500);
    expect(time.now()).toBe(5000);
    time.learn(3000, 3010, 8010);
    expect(time.now()).toBe(5005);
  });
  it('follows a clock that was set, and forgets what is old', () => {
    const time = new ServerTime(() => 0);
    time.learn(0, 10, 5005);
    // An hour later by the clock of this device, which somebody has set.
    time.learn(1000, 1100, 3_606_050);
    expect(time.now()).toBe(3_605_000);
    time.learn(700_000, 702_000, 4_306_300);
    expect(time.now()).toBe(3_605_300);
  });
});

describe('a clock', () => {
  const situation = { left: [60_000, 30_000] as [number, number], running: 'second', now: 1000 };
  const at = (seat: 'first' | 'second', now: number) =>
    leftAt({ ...situation, running: 'second' }, seat, now);
  it('runs for the side to move alone', () => {
    expect(at('first', 9000)).toBe(60_000);
    expect(at('second', 9000)).toBe(22_000);
  });
  it('ends at nothing, and never gains', () => {
    expect(at('second', 99_000)).toBe(0);
    expect(at('second', 0)).toBe(30_000);
  });
  it('is not there where time is not limited', () => {
    expect(leftAt({ left: null, running: null, now: 0 }, 'first', 5)).toBeUndefined();
  });
});
