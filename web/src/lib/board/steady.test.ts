import { describe, expect, it } from 'vitest';
import { steadyTargets, steadyView } from './steady';
import { plainLook, viewOf } from './testing';
import { follow } from './tokens';

const single = { single: 'first' as const };
const before = viewOf(4, { 0: single, 1: single });
const after = viewOf(4, { 0: { single: 'first' }, 2: { single: 'first' } });

describe('what has not changed', () => {
  const seen = steadyView(before, after);
  it('stays the same thing', () => {
    const changed = seen.spots.filter((spot, i) => spot !== before.spots[i]);
    expect(changed.map(({ cell }) => cell)).toEqual([1, 2]);
    expect(seen.spots).toEqual(after.spots);
    expect(steadyView(undefined, after)).toBe(after);
  });
  it('has the same targets', () => {
    const old = plainLook.layout(before).targets;
    const now = plainLook.layout(seen).targets;
    const changed = steadyTargets(old, now).filter((target) => !old.includes(target));
    expect(changed.map(({ step }) => step.cell)).toEqual([1, 2]);
  });
  it('has the same tokens', () => {
    const old = follow([], plainLook.layout(before).tokens);
    const now = follow(old, plainLook.layout(seen).tokens);
    expect(now.find(({ cell }) => cell === 0)).toBe(old.find(({ cell }) => cell === 0));
    expect(now.find(({ cell }) => cell === 2)).not.toBe(old.find(({ cell }) => cell === 1));
  });
});
