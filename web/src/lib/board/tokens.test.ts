import { describe, expect, it } from 'vitest';
import type { Side } from '$lib/rules/protocol';
import type { LivingToken, Token } from './look';
import { follow } from './tokens';

const token = (cell: number, kind: Token['kind'], side: Side, level = 0): Token => ({
  cell,
  level,
  kind,
  side,
  height: 1,
  x: cell * 100,
  y: -level * 30,
  scale: 1,
});
const at = (tokens: LivingToken[], cell: number, level = 0) =>
  tokens.find((one) => one.cell === cell && one.level === level)?.id;

describe('tokens are followed', () => {
  it('when one moves and others stay', () => {
    const before = follow([], [token(1, 'single', 'first'), token(2, 'single', 'first')]);
    const after = follow(before, [token(2, 'single', 'first'), token(7, 'single', 'first')]);
    expect(at(after, 7)).toBe(at(before, 1));
    expect(at(after, 2)).toBe(at(before, 2));
  });
  it('when one changes its owner where it stands', () => {
    const before = follow([], [token(1, 'stone', 'second')]);
    const placed = [token(1, 'stone', 'first'), token(2, 'stone', 'first')];
    const after = follow(before, placed, [{ cell: 2, level: 0 }]);
    expect(at(after, 1)).toBe(at(before, 1));
    expect(at(after, 2)).not.toBe(at(before, 1));
  });
  it('when one is crowned as it moves', () => {
    const before = follow([], [token(1, 'single', 'first'), token(5, 'single', 'first')]);
    const steps = [1, 9].map((cell) => ({ cell, level: 0 }));
    const after = follow(before, [token(9, 'double', 'first')], steps);
    expect(at(after, 9)).toBe(at(before, 1));
  });
  it('when checkers are carried and the lowest is discarded', () => {
    const checker = (cell: number, level: number, side: Side) =>
      token(cell, 'checker', side, level);
    const before = follow(
      [],
      [
        checker(1, 1, 'first'),
        checker(1, 2, 'second'),
        checker(1, 3, 'first'),
        checker(2, 1, 'first'),
      ],
    );
    const after = follow(
      before,
      [checker(2, 1, 'first'), checker(2, 2, 'second'), checker(2, 3, 'first')],
      [
        { cell: 1, level: 1 },
        { cell: 2, level: 0 },
      ],
    );
    expect(at(after, 2, 1)).toBe(at(before, 2, 1));
    expect(at(after, 2, 2)).toBe(at(before, 1, 2));
    expect(at(after, 2, 3)).toBe(at(before, 1, 3));
  });
  it('and every id is used once', () => {
    const before = follow(
      [],
      [1, 2, 3].map((cell) => token(cell, 'stone', 'first')),
    );
    const after = follow(
      before,
      [4, 5, 6, 7].map((cell) => token(cell, 'stone', 'first')),
    );
    expect(new Set(after.map((one) => one.id)).size).toBe(4);
  });
});
