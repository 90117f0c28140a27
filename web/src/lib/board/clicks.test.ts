import { describe, expect, it } from 'vitest';
import type { Choices } from '$lib/rules/protocol';
import { meaningOf, understood } from './clicks';
import { choicesOf } from './testing';

const step = (cell: number, level = 0) => ({ cell, level });

describe('a click is understood as', () => {
  const next = [step(1, 2), step(1, 4), step(2)];
  it('the checker clicked', () => expect(understood(next, step(1, 2))).toEqual(step(1, 2)));
  it('the highest checker, if the column was clicked', () =>
    expect(understood(next, step(1))).toEqual(step(1, 4)));
  it('the cell, if one of its checkers was clicked', () =>
    expect(understood(next, step(2, 3))).toEqual(step(2)));
  it('nothing, if another checker was clicked', () =>
    expect(understood(next, step(1, 3))).toBeUndefined());
});

describe('a click means', () => {
  const first = choicesOf([1, 2]);
  const none: Choices = { next: [], roles: [], complete: null };
  it('the beginning of a move', () =>
    expect(meaningOf(step(1), [], first, first)).toEqual({ kind: 'go-on', step: step(1) }));
  it('another beginning', () =>
    expect(meaningOf(step(2), [step(1)], first, choicesOf([5]))).toEqual({
      kind: 'begin',
      step: step(2),
    }));
  it('taking the selection back, on the same cell again', () =>
    expect(meaningOf(step(1), [step(1)], first, choicesOf([5]))).toEqual({ kind: 'cancel' }));
  it('the end of a move that could go on', () =>
    expect(meaningOf(step(1), [step(1)], first, choicesOf([5], 'x'))).toEqual({
      kind: 'finish',
      move: 'x',
    }));
  it('nothing legal', () => {
    expect(meaningOf(step(9), [], first, first).kind).toBe('refused');
    expect(meaningOf(step(9), [step(1)], first, none).kind).toBe('refused');
  });
});
