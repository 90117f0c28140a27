import { describe, expect, it } from 'vitest';
import { lowTime, untilNextFace } from './low-time';

describe('a clock', () => {
  it.each([
    [60, 10_000],
    [180, 18_000],
    [3600, 30_000],
  ])('of %d seconds is low below %d milliseconds', (initial, low) => {
    expect(lowTime({ kind: 'clock', initial, increment: 0 })).toBe(low);
  });
  it('looks again when its face changes', () => {
    expect(untilNextFace(75_300)).toBe(305);
    expect(untilNextFace(75_000)).toBe(1005);
    expect(untilNextFace(4250)).toBe(55);
    expect(untilNextFace(3 * 24 * 3_600_000)).toBe(60_000);
  });
});
