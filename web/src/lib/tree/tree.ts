/**
 * A tree of moves: lines with variations, comments and signs. It holds texts and knows no rule.
 *
 * Trees are never changed: every function answers with a new one, which shares what stayed the
 * same. So undoing anything is going back to an earlier tree. Moves are found by ids, which are
 * never given twice within a tree; the position before the first move has the id 0.
 */
import type { RecordNode } from '$lib/rules/protocol';

export interface TreeMove {
  readonly id: number;
  readonly move: string;
  /** What people think of it: `!`, `?!` … or nothing. */
  readonly glyph: string;
  readonly comment: string;
  /** How it continues, the main line first. */
  readonly next: readonly TreeMove[];
}

export interface Tree {
  /** What is said before the first move. */
  readonly comment: string;
  readonly next: readonly TreeMove[];
  /** The highest id that was ever given. */
  readonly lastId: number;
}

/** The id of the position before the first move. */
export const ROOT = 0;

/** The signs that records know. */
export const GLYPHS = ['!!', '!', '!?', '?!', '?', '??'] as const;

export const EMPTY: Tree = { comment: '', next: [], lastId: ROOT };

/** The moves that lead to an id, that move last; nothing if it is not there. */
export function pathTo(tree: Tree, id: number): readonly TreeMove[] | undefined {
  if (id === ROOT) return [];
  // Games are long and narrow, so this keeps its own stack.
  const open: { node: TreeMove; depth: number }[] = tree.next
    .map((node) => ({ node, depth: 0 }))
    .reverse();
  const path: TreeMove[] = [];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    path.length = one.depth;
    path.push(one.node);
    if (one.node.id === id) return path;
    for (const child of [...one.node.next].reverse()) {
      open.push({ node: child, depth: one.depth + 1 });
    }
  }
  return undefined;
}

export const movesTo = (tree: Tree, id: number): string[] =>
  (pathTo(tree, id) ?? []).map(({ move }) => move);

export const has = (tree: Tree, id: number): boolean => pathTo(tree, id) !== undefined;

/** The move of an id. */
export const moveAt = (tree: Tree, id: number): TreeMove | undefined => pathTo(tree, id)?.at(-1);

/** How it may continue after a move. */
export const nextOf = (tree: Tree, id: number): readonly TreeMove[] =>
  id === ROOT ? tree.next : (moveAt(tree, id)?.next ?? []);

/** The id of the position before a move. */
export const parentOf = (tree: Tree, id: number): number => pathTo(tree, id)?.at(-2)?.id ?? ROOT;

/** The moves that may be played instead of one, itself among them. */
export const siblingsOf = (tree: Tree, id: number): readonly TreeMove[] =>
  id === ROOT ? [] : nextOf(tree, parentOf(tree, id));

/** The whole line that a move is on: what leads to it, and how it continues by first choices. */
export function lineThrough(tree: Tree, id: number): TreeMove[] {
  const line = [...(pathTo(tree, id) ?? [])];
  let next = line.at(-1)?.next ?? tree.next;
  while (next[0] !== undefined) {
    line.push(next[0]);
    next = next[0].next;
  }
  return line;
}

export const mainLine = (tree: Tree): TreeMove[] => lineThrough(tree, ROOT);

/** Whether a move is the first choice after every position on its way. */
export function isOnMainLine(tree: Tree, id: number): boolean {
  const line = mainLine(tree);
  return (pathTo(tree, id) ?? []).every((node, ply) => line[ply]?.id === node.id);
}

/** Plays a move after another: goes along a branch that is there, or makes a new one. */
export function add(tree: Tree, after: number, move: string): { tree: Tree; id: number } {
  const known = nextOf(tree, after).find((node) => node.move === move);
  if (known !== undefined) return { tree, id: known.id };
  const id = tree.lastId + 1;
  const added: TreeMove = { id, move, glyph: '', comment: '', next: [] };
  const grown = changeNext(tree, after, (next) => [...next, added]);
  return grown === tree ? { tree, id: after } : { tree: { ...grown, lastId: id }, id };
}

/** Plays several moves after one; `id` is the last of them. */
export function addLine(
  tree: Tree,
  after: number,
  moves: readonly string[],
): { tree: Tree; id: number } {
  return moves.reduce((at, move) => add(at.tree, at.id, move), { tree, id: after });
}

/** Takes a move away with everything after it. */
export function remove(tree: Tree, id: number): Tree {
  return changeNext(tree, parentOf(tree, id), (next) => next.filter((node) => node.id !== id));
}

/** Makes a move a better choice by one place than the one before it. */
export function promote(tree: Tree, id: number): Tree {
  const siblings = siblingsOf(tree, id);
  const place = siblings.findIndex((node) => node.id === id);
  const [before, node] = [siblings[place - 1], siblings[place]];
  if (before === undefined || node === undefined) return tree;
  const ordered = [...siblings];
  ordered.splice(place - 1, 2, node, before);
  return changeNext(tree, parentOf(tree, id), () => ordered);
}

/** Makes the whole way to a move the first choice everywhere. */
export function makeMain(tree: Tree, id: number): Tree {
  return (pathTo(tree, id) ?? []).reduce(
    (at, { id: one }) =>
      changeNext(at, parentOf(at, one), (next) => [
        ...next.filter((node) => node.id === one),
        ...next.filter((node) => node.id !== one),
      ]),
    tree,
  );
}

/** Says something about a move, or at the beginning. */
export function annotate(
  tree: Tree,
  id: number,
  words: { glyph?: string; comment?: string },
): Tree {
  if (id === ROOT) return { ...tree, comment: words.comment ?? tree.comment };
  const change = (node: TreeMove): TreeMove => (node.id === id ? { ...node, ...words } : node);
  return changeNext(tree, parentOf(tree, id), (next) => next.map(change));
}

/** Changes what may follow a move; everything beside the way there stays the same. */
function changeNext(
  tree: Tree,
  id: number,
  change: (next: readonly TreeMove[]) => readonly TreeMove[],
): Tree {
  const path = pathTo(tree, id);
  if (path === undefined) return tree;
  let next = change(path.at(-1)?.next ?? tree.next);
  for (let ply = path.length - 1; ply >= 0; ply -= 1) {
    const node = path[ply];
    const siblings = path[ply - 1]?.next ?? tree.next;
    next = siblings.map((other) => (other === node ? { ...other, next } : other));
  }
  return { ...tree, next };
}

/** The tree of a record's moves: a variation there stands at the move it could replace. */
export function fromRecord(nodes: readonly RecordNode[], comment = ''): Tree {
  let lastId = ROOT;
  const line = (nodes: readonly RecordNode[]): TreeMove[] => {
    // From the end, so that each move can hold the ones after it. Ids do not depend on the order.
    let next: TreeMove[] = [];
    for (const node of [...nodes].reverse()) {
      const others = (node.variations ?? []).flatMap(line);
      const first = {
        id: ++lastId,
        move: node.move,
        glyph: node.glyph ?? '',
        comment: node.comment ?? '',
        next,
      };
      next = joined([first, ...others]);
    }
    return next;
  };
  const next = line(nodes);
  return { comment, next, lastId };
}

/** Variations that begin alike become one. */
function joined(siblings: readonly TreeMove[]): TreeMove[] {
  const found: TreeMove[] = [];
  for (const node of siblings) {
    const place = found.findIndex((other) => other.move === node.move);
    const known = found[place];
    if (known === undefined) found.push(node);
    else {
      found[place] = {
        ...known,
        glyph: known.glyph || node.glyph,
        comment: [known.comment, node.comment].filter((one) => one !== '').join('\n'),
        next: joined([...known.next, ...node.next]),
      };
    }
  }
  return found;
}

/** The moves as a record writes them. */
export function toRecord(tree: Tree): RecordNode[] {
  const line = (next: readonly TreeMove[], alone?: TreeMove): RecordNode[] => {
    const nodes: RecordNode[] = [];
    let [first, ...others] = alone === undefined ? next : [alone];
    while (first !== undefined) {
      const variations = others.map((other) => line([], other));
      nodes.push({
        move: first.move,
        ...(first.glyph === '' ? {} : { glyph: first.glyph }),
        ...(first.comment === '' ? {} : { comment: first.comment }),
        ...(variations.length === 0 ? {} : { variations }),
      });
      [first, ...others] = first.next;
    }
    return nodes;
  };
  return line(tree.next);
}
