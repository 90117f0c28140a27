import { describe, expect, it, vi } from 'vitest';
import type { AskRules } from '$lib/rules';
import { Board } from './board.svelte';
import { choicesOf, plainLook, stateOf, viewOf } from './testing';

const piece = { single: 'first' as const };
const start = stateOf(viewOf(4, { 0: piece, 1: piece }), choicesOf([0, 1]));

function boardWith(answers: Partial<Record<string, unknown>>) {
  const asked: [string, unknown][] = [];
  const rules = (async (ask: string, question: unknown) => {
    asked.push([ask, question]);
    return answers[ask];
  }) as unknown as AskRules;
  const onmove = vi.fn();
  const board = new Board({ look: plainLook, rules, onmove });
  board.show(start);
  board.canMove = true;
  return { board, onmove, asked };
}
const step = (cell: number) => ({ cell, level: 0 });

describe('a board', () => {
  it('selects, goes on and hands over a complete move', async () => {
    const { board, onmove } = boardWith({ choices: choicesOf([5, 6]) });
    await board.click(step(0));
    expect(board.clicks).toEqual([step(0)]);
    expect(board.targets).toEqual([step(5), step(6)]);
    expect(board.lifted.size).toBe(1);
    expect(onmove).not.toHaveBeenCalled();
  });
  it('plays as soon as nothing can follow', async () => {
    const { board, onmove } = boardWith({ choices: choicesOf([], 'a1-b2') });
    await board.click(step(0));
    expect(onmove).toHaveBeenCalledExactlyOnceWith('a1-b2');
  });
  it('keeps a move until it is confirmed, where that is wanted', async () => {
    const view = viewOf(4, { 1: piece, 5: piece });
    const { board, onmove } = boardWith({
      choices: choicesOf([], 'a1-b2'),
      preview: { move: 'a1-b2', view, outcome: null },
    });
    board.confirms = true;
    await board.click(step(0));
    expect(board.held).toBe('a1-b2');
    expect(onmove).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(board.preview?.move).toBe('a1-b2'));
    // Another place begins anew, the same one again means yes.
    await board.click(step(1));
    expect(board.clicks).toEqual([step(1)]);
    expect(onmove).not.toHaveBeenCalled();
    await board.click(step(1));
    expect(onmove).toHaveBeenCalledExactlyOnceWith('a1-b2');
    expect(board.held).toBeNull();
    await board.click(step(0));
    board.cancel();
    expect(board.held).toBeNull();
    expect(board.clicks).toEqual([]);
  });
  it('keeps clicks for the next turn, and plays them if they are a move then', async () => {
    const { board } = boardWith({ choices: choicesOf([5], 'a1-b2') });
    board.canMove = false;
    board.plans = true;
    await board.click(step(0));
    await board.click(step(5));
    await board.click(step(6));
    await board.click(step(6));
    expect(board.plan).toEqual([step(0), step(5)]);
    expect(await board.takePlan()).toBe('a1-b2');
    expect(board.plan).toEqual([]);
    await board.click(step(9));
    expect(await board.takePlan()).toBeNull();
  });
  it('waits if a move is complete but could go on', async () => {
    const { board, onmove } = boardWith({ choices: choicesOf([5], 'a1') });
    await board.click(step(0));
    expect(onmove).not.toHaveBeenCalled();
    await board.click(step(0));
    expect(onmove).toHaveBeenCalledExactlyOnceWith('a1');
  });
  it('says why a click is refused, and forgets the selection', async () => {
    const why = { move: 'a1-d4', reason: 'too far', rule: 'test clause 1' };
    const { board, asked } = boardWith({ choices: choicesOf([5]), explain: why });
    await board.click(step(0));
    await board.click(step(15));
    expect(board.refused).toEqual({ step: step(15), why, after: [step(0)] });
    expect(board.clicks).toEqual([]);
    expect(asked.at(-1)?.[1]).toMatchObject({ clicks: [step(0), step(15)] });
  });
  it('does nothing when it is not the turn of the person', async () => {
    const { board, asked } = boardWith({});
    board.canMove = false;
    await board.click(step(0));
    expect(board.targets).toEqual([]);
    expect(asked).toEqual([]);
  });
  it('shows what a hovered move would do', async () => {
    const view = viewOf(4, { 1: piece, 5: piece });
    const { board } = boardWith({
      choices: choicesOf([5]),
      preview: { move: 'a1-b2', view, outcome: null },
    });
    await board.click(step(0));
    await board.hover(step(5));
    expect(board.preview?.move).toBe('a1-b2');
    expect(board.preview?.appears.map((token) => token.cell)).toEqual([5]);
    await board.hover(null);
    expect(board.preview).toBeNull();
  });
  it('drops an answer that comes too late', async () => {
    const { board } = boardWith({ choices: choicesOf([5]) });
    const late = board.click(step(0));
    board.cancel();
    await late;
    expect(board.clicks).toEqual([]);
    expect(board.targets).toEqual(start.choices.next);
  });
  it('judges clicks in their turn, however quick they are', async () => {
    const answers: (() => void)[] = [];
    const rules = ((_: string, { clicks }: { clicks: { cell: number }[] }) =>
      new Promise((resolve) => {
        const [first, second] = clicks.map(({ cell }) => cell);
        const next = second === undefined ? choicesOf([5, 6]) : choicesOf([], `${first}-${second}`);
        answers.push(() => resolve(next));
      })) as unknown as AskRules;
    const onmove = vi.fn();
    const board = new Board({ look: plainLook, rules, onmove });
    board.show(start);
    board.canMove = true;
    const answer = async () => {
      await vi.waitFor(() => expect(answers).toHaveLength(1));
      answers.pop()?.();
    };
    // One piece, another one instead, where it goes: all before the rules have said a word.
    const all = [0, 1, 6].map((cell) => board.click(step(cell)));
    for (let i = 0; i < all.length; i += 1) await answer();
    await Promise.all(all);
    expect(onmove).toHaveBeenCalledExactlyOnceWith('1-6');
    // What was clicked on a position that is gone is not meant for the next.
    board.show(start);
    const gone = [0, 6].map((cell) => board.click(step(cell)));
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    board.show(start);
    answers.pop()?.();
    await Promise.all(gone);
    expect(board.clicks).toEqual([]);
    expect(answers).toEqual([]);
  });
  it('marks what the last move changed', () => {
    const { board } = boardWith({});
    const next = stateOf(viewOf(4, { 1: piece, 5: piece }), choicesOf([]));
    board.show(next, [step(0), step(5)]);
    expect([...board.last].sort()).toEqual([0, 5]);
  });
  it('moves a cursor that begins where a move may begin', () => {
    const { board } = boardWith({});
    expect(board.cursorTarget?.step).toEqual(step(0));
    board.moveCursor('right');
    expect(board.cursor).toEqual(step(1));
    board.cursorToEndOfRow(true);
    expect(board.cursor).toEqual(step(3));
  });
  it('can be seen from the other side, if its look allows it', () => {
    const { board } = boardWith({});
    board.turn();
    expect(board.turned).toBe(false);
    const turning = new Board({
      look: { ...plainLook, seating: 'opposite' },
      rules: (async () => undefined) as unknown as AskRules,
    });
    turning.show(start);
    const [before] = turning.tokens;
    turning.seat('second');
    const after = turning.tokens.find(({ id }) => id === before?.id);
    expect([before?.x, before?.y]).toEqual([50, 750]);
    expect([after?.x, after?.y]).toEqual([350, 450]);
    expect(turning.targetAt(step(0))?.x).toBe(350);
    turning.seat('first');
    expect(turning.turned).toBe(false);
  });
  it('remembers what was drawn on a position', () => {
    const { board } = boardWith({});
    board.sketch({ from: step(0), to: step(5), ink: 'green' });
    board.show({ ...start, position: 'there' });
    expect(board.sketches).toEqual([]);
    board.show(start);
    expect(board.sketches).toHaveLength(1);
    board.clearSketches();
    expect(board.sketches).toEqual([]);
  });
});
