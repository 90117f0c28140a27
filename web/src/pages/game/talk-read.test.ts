import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readTalk, talkReadUntil } from './talk-read';

describe('what was read', () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
      removeItem: (key: string) => kept.delete(key),
    });
  });
  it('is kept for each game and never goes back', () => {
    expect(talkReadUntil('a')).toBe(0);
    readTalk('a', 5);
    readTalk('b', 7);
    readTalk('a', 3);
    expect([talkReadUntil('a'), talkReadUntil('b')]).toEqual([5, 7]);
  });
  it('is kept for the latest games only', () => {
    for (let game = 0; game < 150; game += 1) readTalk(`g${game}`, 1);
    expect(talkReadUntil('g0')).toBe(0);
    expect(talkReadUntil('g149')).toBe(1);
  });
  it('does not mind what others have left there', () => {
    kept.set('stoa.talk-read', '{"nonsense": [1]}');
    expect(talkReadUntil('a')).toBe(0);
    kept.set('stoa.talk-read', '[["a", "x"], 4]');
    readTalk('a', 2);
    expect(talkReadUntil('a')).toBe(2);
  });
});
