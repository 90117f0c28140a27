import { expect, it } from 'vitest';
import { isClock, leftOf, newClock, stopped } from './clock';

const clock = newClock({ initial: 60_000, increment: 2_000 });
const running = { side: 'second' as const, since: 1_000 };

it('runs for one side, and a move adds to what is left', () => {
  expect(leftOf(clock, 'second', running, 11_000)).toBe(50_000);
  expect(leftOf(clock, 'first', running, 11_000)).toBe(60_000);
  expect(stopped(clock, running, 11_000, true).left).toEqual([60_000, 52_000]);
  expect(stopped(clock, running, 11_000, false).left).toEqual([60_000, 50_000]);
});

it('never shows less than nothing, and gives nothing to those whose time is up', () => {
  expect(leftOf(clock, 'second', running, 99_000)).toBe(0);
  expect(stopped(clock, running, 99_000, true).left).toEqual([60_000, 0]);
});

it('knows a clock from something else', () => {
  expect(isClock(clock)).toBe(true);
  for (const other of [
    undefined,
    null,
    {},
    { ...clock, left: [1] },
    { ...clock, left: [1, NaN] },
  ]) {
    expect(isClock(other)).toBe(false);
  }
});
