import { describe, expect, it } from 'vitest';
import { controlOf, isAllowed, PRESETS } from './controls';

describe('controls', () => {
  it('that are offered are allowed', () => {
    for (const [initial, increment] of PRESETS)
      expect(isAllowed({ initial, increment })).toBe(true);
  });
  it.each([
    [{ kind: 'clock', initial: 300, increment: 5 }, true],
    [{ kind: 'clock', initial: 14, increment: 5 }, false],
    [{ kind: 'clock', initial: 300, increment: -1 }, false],
    [{ kind: 'clock', initial: 300.5, increment: 0 }, false],
    [{ kind: 'clock', initial: '300', increment: 0 }, false],
    [{ kind: 'days', days: 3 }, true],
    [{ kind: 'days', days: 400 }, false],
    [{ kind: 'unlimited' }, true],
    [{ kind: 'sundial' }, false],
    [null, false],
    ['clock', false],
  ])('%j from the store is taken: %s', (value, taken) => {
    expect(controlOf(value) !== undefined).toBe(taken);
  });
});
