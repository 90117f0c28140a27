import { describe, expect, it } from 'vitest';
import { embedCode } from './embed';
import { difference } from './pictures';

describe('a board in another page', () => {
  it('has the form of the board, and room for its buttons', () => {
    const code = embedCode('http://x/#/embed/impasse', 'A game', { width: 800, height: 400 });
    expect(code).toContain('width="480" height="304"');
  });
  it('runs nothing that somebody put into a name', () => {
    const code = embedCode('http://x/?a=1&b="><script>', '"><script>alert(1)</script>', {
      width: 1,
      height: 1,
    });
    expect(code).not.toContain('<script');
    expect(code.match(/"/g)?.length).toBe(12);
  });
});

it('what stays the same in an animation shines through', () => {
  const [before, after] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 5, 3)];
  expect([...difference(before, after, 9)]).toEqual([9, 5, 9]);
});
