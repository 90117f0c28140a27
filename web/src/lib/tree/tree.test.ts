import { describe, expect, it } from 'vitest';
import {
  add,
  addLine,
  annotate,
  EMPTY,
  fromRecord,
  isOnMainLine,
  lineThrough,
  mainLine,
  makeMain,
  moveAt,
  movesTo,
  nextOf,
  parentOf,
  promote,
  remove,
  ROOT,
  siblingsOf,
  toRecord,
  type Tree,
} from './tree';

const texts = (moves: readonly { move: string }[]) => moves.map(({ move }) => move).join(' ');

/** How many moves a tree has. */
function size({ next }: { next: Tree['next'] }): number {
  return next.reduce((sum, node) => sum + 1 + size(node), 0);
}

/** a b c, with d e instead of b c, and f instead of both. */
function sample() {
  const main = addLine(EMPTY, ROOT, ['a', 'b', 'c']);
  const a = main.tree.next[0]?.id ?? -1;
  const second = addLine(main.tree, a, ['d', 'e']);
  const third = add(second.tree, a, 'f');
  return { tree: third.tree, a, c: main.id, e: second.id, f: third.id };
}

describe('a tree', () => {
  it('grows along what is there, and branches elsewhere', () => {
    const { tree, a, c, e } = sample();
    expect(texts(mainLine(tree))).toBe('a b c');
    expect(movesTo(tree, e)).toEqual(['a', 'd', 'e']);
    expect(texts(nextOf(tree, a))).toBe('b d f');
    expect(size(tree)).toBe(6);
    const again = addLine(tree, ROOT, ['a', 'b', 'c']);
    expect(again).toEqual({ tree, id: c });
    expect(again.tree).toBe(tree);
  });

  it('knows the line through a move', () => {
    const { tree, e } = sample();
    const d = parentOf(tree, e);
    expect(texts(lineThrough(tree, d))).toBe('a d e');
    expect(texts(lineThrough(tree, ROOT))).toBe('a b c');
    expect(isOnMainLine(tree, d)).toBe(false);
    expect(isOnMainLine(tree, ROOT)).toBe(true);
    expect(texts(siblingsOf(tree, d))).toBe('b d f');
  });

  it('promotes by one place, or all the way', () => {
    const { tree, a, e, f } = sample();
    expect(texts(nextOf(promote(tree, f), a))).toBe('b f d');
    expect(texts(mainLine(makeMain(tree, e)))).toBe('a d e');
    expect(promote(tree, a)).toBe(tree);
  });

  it('loses a move with everything after it, and the earlier tree is still whole', () => {
    const { tree, a, e } = sample();
    const less = remove(tree, parentOf(tree, e));
    expect(texts(nextOf(less, a))).toBe('b f');
    expect(moveAt(less, e)).toBeUndefined();
    expect(texts(nextOf(tree, a))).toBe('b d f');
    expect(size(remove(tree, a))).toBe(0);
    expect(remove(tree, 99)).toEqual(tree);
  });

  it('never gives an id twice', () => {
    const { tree, f } = sample();
    const { id } = add(remove(tree, f), ROOT, 'z');
    expect(id).toBe(f + 1);
  });

  it('shares what did not change', () => {
    const { tree, f } = sample();
    const changed = annotate(tree, f, { comment: 'hm' });
    expect(changed.next[0]?.next[0]).toBe(tree.next[0]?.next[0]);
    expect(moveAt(changed, f)?.comment).toBe('hm');
    expect(moveAt(tree, f)?.comment).toBe('');
  });

  it('becomes a record and comes back', () => {
    const { tree, c, e, f } = sample();
    let told = annotate(tree, f, { glyph: '?!' });
    told = annotate(told, c, { comment: 'main' });
    told = annotate(told, ROOT, { comment: 'first' });
    told = add(told, parentOf(told, e), 'g').tree;
    const record = toRecord(told);
    expect(record).toEqual([
      { move: 'a' },
      {
        move: 'b',
        variations: [
          [{ move: 'd' }, { move: 'e', variations: [[{ move: 'g' }]] }],
          [{ move: 'f', glyph: '?!' }],
        ],
      },
      { move: 'c', comment: 'main' },
    ]);
    const back = fromRecord(record, 'first');
    expect(back.comment).toBe('first');
    expect(toRecord(back)).toEqual(record);
    expect(new Set(lineThrough(back, ROOT).map(({ id }) => id)).size).toBe(3);
  });

  it('joins variations of a record that begin alike', () => {
    const tree = fromRecord([
      {
        move: 'a',
        comment: 'one',
        variations: [
          [{ move: 'b' }, { move: 'c' }],
          [{ move: 'b', comment: 'two' }, { move: 'd' }],
          [{ move: 'a', comment: 'three' }, { move: 'e' }],
        ],
      },
      { move: 'f' },
    ]);
    expect(texts(tree.next)).toBe('a b');
    expect(texts(tree.next[0]?.next ?? [])).toBe('f e');
    expect(tree.next[0]?.comment).toBe('one\nthree');
    expect(texts(tree.next[1]?.next ?? [])).toBe('c d');
  });

  it('carries games of a thousand moves', () => {
    const moves = Array.from({ length: 1000 }, (_, i) => `m${i}`);
    const tree = fromRecord(moves.map((move) => ({ move })));
    const { id } = add(tree, mainLine(tree).at(-1)?.id ?? ROOT, 'end');
    expect(id).toBe(1001);
    expect(toRecord(tree)).toHaveLength(1000);
  });
});
