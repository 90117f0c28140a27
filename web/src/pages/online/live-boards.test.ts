import { describe, expect, it } from 'vitest';
import type { LiveGame } from '$lib/online/wire';
import { hasNew, nowPlaying, withBoards, withList } from './live-boards';

const player = (id: string) => ({ id, name: id, kind: 'guest' as const });
const game = (id: string, version = 1, over = false): LiveGame => ({
  id,
  game: 'impasse',
  control: { kind: 'unlimited' },
  rated: false,
  players: [player('a'), player('b')],
  created: 0,
  updated: 0,
  version,
  ply: version,
  position: String(version),
  turn: over ? null : 'first',
  deadline: null,
  result: over ? { winner: 'first', reason: 'resigned' } : null,
  viewers: 0,
});
const board = (id: string, version: number) => ({
  game: id,
  version,
  ply: version,
  position: String(version),
  turn: 'second' as const,
  result: null,
});

describe('live boards', () => {
  it('take what is new and leave what is old', () => {
    const games = [game('x', 3), game('y', 3)];
    const after = withBoards(games, [board('x', 4), board('y', 2), board('z', 9)]);
    expect(after.map(({ id, position }) => [id, position])).toEqual([
      ['x', '4'],
      ['y', '3'],
    ]);
    expect(after[1]).toBe(games[1]);
    expect(hasNew(games, [board('x', 4)])).toBe(false);
    expect(hasNew(games, [board('z', 9)])).toBe(true);
  });
  it('know more than a list that is some seconds old', () => {
    const list = [{ ...game('x', 3), viewers: 5 }, game('new')];
    const after = withList([game('x', 4), game('gone')], list);
    expect(after.map(({ id, version, viewers }) => [id, version, viewers])).toEqual([
      ['x', 4, 5],
      ['new', 1, 0],
    ]);
  });
  it('show one of them large until it is over', () => {
    expect(nowPlaying([game('x'), game('y')], 'y')?.id).toBe('y');
    expect(nowPlaying([game('x'), game('y', 5, true)], 'y')?.id).toBe('x');
    expect(nowPlaying([game('x', 5, true)])).toBeUndefined();
  });
});
