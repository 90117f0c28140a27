import { beforeEach, describe, expect, it, vi } from 'vitest';
import { belongsTo, type Puzzle } from './data';
import {
  loadProgress,
  mixed,
  nextPuzzle,
  noProgress,
  parseProgress,
  saveProgress,
  withMiss,
  withSolved,
} from './progress';

const puzzle = (id: string, grade = 1): Puzzle => ({
  id,
  game: 'colonnade',
  position: '',
  goal: 'win',
  grade,
  turns: [],
});

let kept: Map<string, string>;
beforeEach(() => {
  kept = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  });
});

describe('progress', () => {
  it('counts what is solved in a row', () => {
    let progress = withSolved(withSolved(noProgress(), 'a', 'clean'), 'b', 'clean');
    expect(progress).toMatchObject({ streak: 2, best: 2 });
    progress = withSolved(withMiss(progress), 'c', 'helped');
    expect(progress).toMatchObject({ streak: 0, best: 2, solved: { c: 'helped' } });
    expect(withSolved(progress, 'a', 'helped').solved['a']).toBe('clean');
  });

  it('is kept and comes back', () => {
    const progress = withSolved(noProgress(), 'a', 'clean');
    expect(saveProgress(progress)).toBe(true);
    expect(loadProgress()).toEqual(progress);
  });

  it('of another version is left alone', () => {
    kept.set('stoa.puzzles', '{"version":2}');
    expect(loadProgress()).toEqual(noProgress());
    expect(saveProgress(noProgress())).toBe(false);
    expect(kept.get('stoa.puzzles')).toBe('{"version":2}');
  });

  it.each(['', 'x', 'null', '{"version":1}', '{"version":1,"solved":{"a":1},"streak":0,"best":0}'])(
    'refuses %s',
    (text) => expect(parseProgress(text)).toBeUndefined(),
  );
});

describe('the next puzzle', () => {
  const list = [puzzle('a'), puzzle('b'), puzzle('c')];
  it('is the next that is not solved', () => {
    expect(nextPuzzle(list, noProgress())?.id).toBe('a');
    expect(nextPuzzle(list, noProgress(), 'a')?.id).toBe('b');
    expect(nextPuzzle(list, withSolved(noProgress(), 'b', 'clean'), 'a')?.id).toBe('c');
    expect(nextPuzzle(list, withSolved(noProgress(), 'c', 'clean'), 'b')?.id).toBe('a');
  });
  it('is any when all are solved, and the only one if there is no other', () => {
    const all = list.reduce((progress, { id }) => withSolved(progress, id, 'clean'), noProgress());
    expect(nextPuzzle(list, all, 'c')?.id).toBe('a');
    expect(nextPuzzle([puzzle('a')], noProgress(), 'a')?.id).toBe('a');
    expect(nextPuzzle([], all)).toBeUndefined();
  });
});

it('a mixture takes the games in turn and the easy ones first', () => {
  const lists = [
    [puzzle('a1'), puzzle('a2'), puzzle('a3', 3)],
    [puzzle('b1'), puzzle('b2', 2)],
  ];
  expect(mixed(lists).map(({ id }) => id)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

it('files belong to the game they are named after', () => {
  expect(belongsTo('./data/palisade-7.json', 'palisade')).toBe(true);
  expect(belongsTo('./data/columna.json', 'columna')).toBe(true);
  expect(belongsTo('./data/columna.json', 'colonnade')).toBe(false);
});
