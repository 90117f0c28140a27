/** A tree as it is read: the main line with its comments, and variations where they branch off. */
import type { Tree, TreeMove } from './tree';

export type Part =
  | {
      kind: 'move';
      node: TreeMove;
      /** How many moves were played before it. */
      ply: number;
      /** The number in front of it, such as `3.` or `3…`; empty where none is needed. */
      number: string;
    }
  | { kind: 'comment'; id: number; text: string }
  | { kind: 'variation'; id: number; parts: Part[] };

/** `secondBegins` says that the second player made the first move. */
export function outline(tree: Tree, secondBegins = false): Part[] {
  const parts = lineOf(tree.next, 0, secondBegins);
  return tree.comment === '' ? parts : [{ kind: 'comment', id: 0, text: tree.comment }, ...parts];
}

function lineOf(next: readonly TreeMove[], from: number, secondBegins: boolean): Part[] {
  const parts: Part[] = [];
  let [node, ...others] = next;
  // After a comment or a variation the number is said again, as in print.
  let isFirst = true;
  for (let ply = from; node !== undefined; ply += 1) {
    parts.push({ kind: 'move', node, ply, number: numberOf(ply, secondBegins, isFirst) });
    isFirst = false;
    if (node.comment !== '') {
      parts.push({ kind: 'comment', id: node.id, text: node.comment });
      isFirst = true;
    }
    for (const other of others) {
      const line = lineOf([other], ply, secondBegins);
      parts.push({ kind: 'variation', id: other.id, parts: line });
      isFirst = true;
    }
    [node, ...others] = node.next;
  }
  return parts;
}

function numberOf(ply: number, secondBegins: boolean, isFirst: boolean): string {
  const half = ply + (secondBegins ? 1 : 0);
  const turn = Math.floor(half / 2) + 1;
  if (half % 2 === 0) return `${turn}.`;
  return isFirst ? `${turn}…` : '';
}
