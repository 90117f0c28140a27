import { expect, it } from 'vitest';
import type { Finding, ReviewedMove, Score } from '$lib/engine/protocol';
import { mistakeWords } from './words';

const score = (chance: number): Score => ({
  points: null,
  win_probability: chance,
  proven: null,
  turns: null,
});
const at = (chance: number) => ({ mover: score(chance), first: score(chance) });
const mistake = (findings: Finding[], more: Partial<ReviewedMove> = {}): ReviewedMove => ({
  ply: 4,
  side: 'first',
  move: 'e5-c3',
  class: 'mistake',
  before: at(0.62),
  after: at(0.41),
  lost: 0.21,
  best: ['h2-g3'],
  expected: ['h8-g7', 'a1-b2'],
  missed_win: null,
  allowed_loss: null,
  findings,
  reason: null,
  ...more,
});
const GIVEN_UP = {
  kind: 'difference',
  term: 'moves',
  own: true,
  good: true,
  now: 3,
  instead: 9,
} as const;
const FALLS = 'White’s chances of winning fall from 62% to 41%.';

it('what a mistake cost is said once, and so is what it allows', async () => {
  const chances: Finding = { kind: 'chances', reply: 'h8-g7', now: 0.41, instead: 0.62 };
  expect(await mistakeWords('impasse', mistake([chances]), true)).toEqual([
    FALLS,
    'It lets Black answer h8-g7.',
  ]);
  const moves: Finding = { ...GIVEN_UP, line: 'h8-g7 a1-b2' };
  expect(await mistakeWords('impasse', mistake([moves]), true)).toEqual([
    FALLS,
    'It gives up moves to choose from: White has 3 instead of 9 after h8-g7 a1-b2.',
  ]);
});

it('who may still find something better is not told what it is', async () => {
  const missed: Finding = { kind: 'missed-win', turns: 3, line: 'h2-g3 a7-b6 g3-f4' };
  const move = mistake([missed], { missed_win: 3 });
  const own = await mistakeWords('impasse', move, false);
  expect(own).toEqual([FALLS, 'There was a win in 3 turns.', 'It lets Black answer h8-g7.']);
  const given: Finding = { ...GIVEN_UP, line: 'h8-g7' };
  expect(await mistakeWords('impasse', mistake([given]), false)).toEqual([
    FALLS,
    'It gives up moves to choose from: White has 3 instead of 9 after h8-g7.',
  ]);
  expect((await mistakeWords('impasse', move, true)).join(' ')).toContain(
    'It misses a win in 3 turns: h2-g3 a7-b6 g3-f4.',
  );
});

it('what this version of the page has no words for is left out', async () => {
  const unknown: Finding = {
    kind: 'difference',
    term: 'nothing-known',
    own: true,
    good: true,
    now: 1,
    instead: 2,
    line: '',
  };
  expect(await mistakeWords('impasse', mistake([unknown], { expected: [] }), true)).toEqual([
    FALLS,
  ]);
});
