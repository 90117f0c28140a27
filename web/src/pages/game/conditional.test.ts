import { describe, expect, it } from 'vitest';
import { contradict, pairs, withLine } from './conditional';

describe('lines of conditional moves', () => {
  it('contradict each other if they answer the same moves differently', () => {
    expect(contradict(['a', 'b'], ['a', 'c'])).toBe(true);
    expect(contradict(['a', 'b'], ['c', 'b'])).toBe(false);
    expect(contradict(['a', 'b'], ['a', 'b', 'c', 'd'])).toBe(false);
    expect(contradict(['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'e'])).toBe(true);
    expect(contradict(['a', 'b', 'c', 'd'], ['a', 'b', 'x', 'e'])).toBe(false);
  });
  it('take the place of those that they contradict or continue', () => {
    const lines = [
      ['a', 'b'],
      ['c', 'd'],
    ];
    expect(withLine(lines, ['a', 'x'])).toEqual([
      ['c', 'd'],
      ['a', 'x'],
    ]);
    expect(withLine(lines, ['a', 'b', 'e', 'f'])).toEqual([
      ['c', 'd'],
      ['a', 'b', 'e', 'f'],
    ]);
    expect(withLine([['a', 'b', 'e', 'f']], ['a', 'b'])).toEqual([['a', 'b', 'e', 'f']]);
  });
  it('are pairs of a move and an answer', () => {
    expect(pairs(['a', 'b', 'c', 'd'])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});
