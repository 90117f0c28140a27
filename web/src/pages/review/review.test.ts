import { describe, expect, it } from 'vitest';
import type { Review, ReviewedMove, Score } from '$lib/engine/protocol';
import type { SavedGame } from '$lib/store/games';
import { areaPath, linePath, plyAt } from '$lib/ui/graph';
import { effort, errorsOf, judge, neighbourError } from '$lib/review/judge';
import { isAbout, type KeptReview, parseReview, subjectOf } from './kept';

const score = (win_probability: number, proven: Score['proven'] = null): Score => ({
  points: 0,
  win_probability,
  proven,
  turns: null,
});
const move = (ply: number, of: ReviewedMove['class']): ReviewedMove => ({
  ply,
  side: 'first',
  move: 'a',
  class: of,
  before: { mover: score(0.5), first: score(0.5) },
  after: { mover: score(0.5), first: score(0.5) },
  lost: 0,
  best: [],
  expected: [],
  missed_win: null,
  allowed_loss: null,
  findings: [],
  reason: null,
});

describe('a try', () => {
  it('is good if it keeps the chances', () => {
    expect(judge(score(0.7), score(0.3))).toEqual({ kind: 'good' });
    expect(judge(score(0.7), score(0.34))).toEqual({ kind: 'good' });
    expect(judge(score(1, 'win'), score(0, 'loss'))).toEqual({ kind: 'good' });
  });
  it('costs what it loses', () => {
    expect(judge(score(0.7), score(0.5))).toEqual({ kind: 'bad', cost: 20 });
    expect(judge(score(0.7), score(1, 'win'))).toEqual({ kind: 'lost' });
  });
});

it('errors are found from either side', () => {
  const moves = [move(0, 'best'), move(1, 'mistake'), move(2, 'good'), move(3, 'blunder')];
  const errors = errorsOf({ moves } as Review);
  expect(errors.map(({ ply }) => ply)).toEqual([1, 3]);
  expect(neighbourError(errors, 0, 1)?.ply).toBe(1);
  expect(neighbourError(errors, 2, 1)?.ply).toBe(3);
  expect(neighbourError(errors, 4, 1)).toBeUndefined();
  expect(neighbourError(errors, 4, -1)?.ply).toBe(1);
  expect(neighbourError(errors, 2, -1)).toBeUndefined();
});

it('long games are looked at less closely, within bounds', () => {
  expect(effort(1, false)).toBe(300);
  expect(effort(60, false)).toBe(150);
  expect(effort(1000, false)).toBe(60);
  expect(effort(100, true)).toBeGreaterThan(effort(100, false));
});

describe('the graph', () => {
  it('goes from left to right, and who sits below fills it from below', () => {
    expect(linePath([0.5, 1, 0], 'first')).toBe('M0 50L50 0L100 100');
    expect(linePath([0.5, 1, 0], 'second')).toBe('M0 50L50 100L100 0');
    expect(areaPath([0.5, 1], 'first')).toBe('M0 50L100 0L100 100L0 100Z');
    expect(linePath([], 'first')).toBe('');
    expect(plyAt(0.5, 10)).toBe(5);
    expect(plyAt(7, 10)).toBe(10);
  });
  it('shows what is known so far', () => {
    expect(linePath([undefined, undefined, 0.5], 'first')).toBe('M100 50');
    expect(linePath([0.5, undefined, 0.5, 0], 'first')).toBe('M0 50M66.67 50L100 100');
  });
});

const saved: SavedGame = {
  version: 1,
  id: 'x',
  name: 'A game',
  game: 'colonnade',
  moves: ['1b<'],
  players: [{ kind: 'engine', level: 3 }, { kind: 'person' }],
  seed: 1,
  created: 1,
  updated: 1,
};

describe('a kept review', () => {
  const subject = subjectOf(saved, ({ kind }) => kind);
  const kept: KeptReview = { version: 1, subject, found: [] };
  it('knows whose game it was', () => {
    expect(subject).toMatchObject({ id: 'g-x', own: ['second'], players: ['engine', 'person'] });
  });
  it('is read back, and is no longer about a game that went on', () => {
    expect(parseReview(JSON.stringify(kept))).toEqual(kept);
    expect(isAbout(kept, subject)).toBe(true);
    expect(isAbout(kept, { ...subject, moves: ['1b<', '1g>'] })).toBe(false);
  });
  it.each([
    '',
    'null',
    '{"version":2}',
    '{"version":1,"subject":{}}',
    JSON.stringify({ ...kept, found: ['a'] }),
    JSON.stringify({ ...kept, review: {} }),
  ])('refuses %s', (text) => expect(parseReview(text)).toBeUndefined());
});
