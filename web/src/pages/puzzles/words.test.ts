import { describe, expect, it } from 'vitest';
import { proofWords, taskWords } from './words';

describe('what is asked', () => {
  it('names the turns where there are several', () => {
    expect(taskWords('win', 'Black')).toBe('Black to move. Find the move that wins.');
    expect(taskWords({ 'win-within': 1 }, 'Black')).toBe('Black to move. Win at once.');
    expect(taskWords({ 'win-within': 3 }, 'White')).toBe('White to move. Win in 3 turns.');
    expect(taskWords({ hold: 2 }, 'White')).toBe('White to move. Find the only defence.');
  });
});

describe('what is proven', () => {
  it('is no more than was searched', () => {
    expect(proofWords('win')).toContain('and no other');
    expect(proofWords({ 'win-within': 1 })).toContain('wins at once');
    expect(proofWords({ 'win-within': 3 })).toContain('within 3 turns');
    expect(proofWords({ hold: 1 })).toContain('on the next turn');
    expect(proofWords({ hold: 2 })).toContain('within 2 turns');
  });
});
