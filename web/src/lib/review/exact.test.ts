import { describe, expect, it } from 'vitest';
import type { Known, ReviewedMove, Worth } from '$lib/engine/protocol';
import { accuracyOf, levelOf, scale } from './accuracy';
import { certainMove, findingsOf, type JudgedMove } from './exact';
import { costOf, mainTurningPoints, reviewOf } from './summary';

const EVEN = { points: null, win_probability: 0.5, proven: null, turns: null };
const bare = (ply: number, move: string): ReviewedMove => ({
  ply,
  side: ply % 2 === 0 ? 'first' : 'second',
  move,
  class: 'mistake',
  before: { mover: EVEN, first: EVEN },
  after: { mover: EVEN, first: EVEN },
  lost: 0.11,
  best: ['z'],
  expected: ['y'],
  missed_win: null,
  allowed_loss: null,
  findings: [],
  reason: 'It costs 11 games in a hundred',
});
const worth = (move: string, verdict: Worth['verdict'], plies: number): Worth => ({
  move,
  verdict,
  plies,
});
const known = (...moves: Worth[]): Known => ({ legal: moves.length, moves });

describe('a move in a solved game', () => {
  const lost = known(worth('a', 'loss', 24), worth('b', 'loss', 22), worth('c', 'loss', 4));
  it('costs nothing where every move loses', () => {
    expect(certainMove(bare(0, 'a'), lost, null)).toMatchObject({ class: 'best', lost: 0 });
    expect(certainMove(bare(0, 'b'), lost, null)).toMatchObject({ class: 'good', lost: 0 });
  });
  it('is worth a word if it gives up most of the resistance', () => {
    const answers = known(worth('x', 'win', 3), worth('y', 'loss', 8));
    const move = certainMove(bare(0, 'c'), lost, answers);
    expect(move).toMatchObject({ class: 'inaccuracy', lost: 0, missed_win: null, reason: null });
    expect(move.certain).toMatchObject({ legal: 3, winning: 0, replies: { legal: 2, winning: 1 } });
    expect(costOf(move)).toBeCloseTo(0.2083, 3);
    expect(findingsOf(move)).toEqual([]);
  });
  it('throws away what was won', () => {
    const won = known(worth('a', 'win', 5), worth('b', 'win', 9), worth('c', 'loss', 8));
    expect(certainMove(bare(1, 'b'), won, null).class).toBe('good');
    const move = certainMove(bare(1, 'c'), won, null);
    expect(move).toMatchObject({
      class: 'blunder',
      lost: 1,
      missed_win: 5,
      allowed_loss: 7,
      best: ['a'],
    });
    // What is a loss for the second player is a win for the first.
    expect(move.after.first).toMatchObject({ proven: 'win', win_probability: 1, turns: 7 });
    const review = reviewOf([move], 1, true);
    expect(review.curve).toEqual([0, 1]);
    expect(review.turning_points).toEqual([1]);
    expect(review.players[1].counts.blunder).toBe(1);
  });
  it('may take nobody knows how long', () => {
    const endless = (move: string, verdict: Worth['verdict']): Worth => ({
      move,
      verdict,
      plies: null,
    });
    const move = certainMove(bare(0, 'b'), known(endless('a', 'win'), endless('b', 'loss')), null);
    expect(move).toMatchObject({ class: 'blunder', lost: 1, missed_win: null, allowed_loss: null });
    expect(findingsOf(move)).toEqual([]);
    const lost = known(endless('a', 'loss'), endless('b', 'loss'));
    expect(certainMove(bare(0, 'b'), lost, null).class).toBe('best');
  });
  it('is left alone if nothing is known', () => {
    const move = bare(0, 'q');
    expect(certainMove(move, null, null)).toBe(move);
    expect(certainMove(move, known(worth('a', 'win', 1)), null)).toBe(move);
  });
});

it('names the turning points that cost most, in the order of the game', () => {
  const losses = [0.3, 0.9, 0.2, 0.8, 0.4, 0.5, 0.6];
  const moves = losses.map((lost, ply) => ({ ...bare(ply, 'a'), lost }));
  const review = { ...reviewOf(moves, moves.length, false), turning_points: moves.map(({ ply }) => ply) };
  expect(mainTurningPoints(review)).toEqual([1, 3, 4, 5, 6]);
});

it('counts what moves lose while a game is open', () => {
  const chances = (win_probability: number) => ({ ...bare(0, 'a').before.mover, win_probability });
  const move = (ply: number, before: number, lost: number) => {
    const plain = bare(ply, 'a');
    return { ...plain, lost, before: { ...plain.before, mover: chances(before) } };
  };
  // A long game that was decided early says no more about its players than its beginning.
  const open = [move(0, 0.5, 0.2), move(2, 0.5, 0)];
  const decided = Array.from({ length: 40 }, (_, at) => move(4 + 2 * at, 0.03, 0));
  const thrownAway = move(100, 0.99, 0.5);
  const average = (moves: JudgedMove[], isSolved = false) =>
    reviewOf(moves, moves.length, isSolved).players[0].average_loss;
  expect(average([...open, ...decided])).toBeCloseTo(0.1);
  expect(average([...open, ...decided, thrownAway])).toBeCloseTo(0.7 / 3);
  expect(average(decided)).toBeNull();
  // In a solved game everything is decided, and every proven move counts.
  const proven = decided.map((one) => ({
    ...one,
    before: { ...one.before, mover: { ...one.before.mover, proven: 'loss' as const, turns: 20 } },
  }));
  expect(average(proven)).toBeNull();
  expect(average(proven, true)).toBe(0);
  expect(average(decided, true)).toBeNull();
});

describe('accuracy', () => {
  const table = {
    levels: [
      { level: 0, loss: 0.2, moves: 100 },
      { level: 1, loss: 0.1, moves: 100 },
      { level: 2, loss: 0.12, moves: 100 },
      { level: 9, loss: 0.01, moves: 100 },
    ],
  };
  it('is what levels with the same loss have', () => {
    expect(accuracyOf(table, 0)).toBe(100);
    expect(accuracyOf(table, 0.01)).toBeCloseTo(91);
    expect(accuracyOf(table, 0.2)).toBeCloseTo(10);
    expect(accuracyOf(table, 0.4)).toBeCloseTo(5);
  });
  it('never rises with what is lost', () => {
    const losses = scale(table).map(({ loss }) => loss);
    expect(losses).toEqual([...losses].sort((a, b) => b - a));
    let before = Infinity;
    for (let loss = 0; loss < 0.5; loss += 0.005) {
      const accuracy = accuracyOf(table, loss);
      expect(accuracy).toBeLessThanOrEqual(before);
      before = accuracy;
    }
  });
  it('names a level', () => {
    expect(levelOf(91)).toBe(9);
    expect(levelOf(100)).toBe(9);
    expect(levelOf(3)).toBe(0);
  });
});
