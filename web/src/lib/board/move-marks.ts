/** Arrows for a move: what would go where, and what would appear. It compares what is seen. */
import type { Arrow } from './arrow';
import type { Layout, LivingToken } from '$lib/board/look';
import { follow } from '$lib/board/tokens';
import type { Step } from '$lib/rules/protocol';

export interface MoveMarks {
  arrows: Arrow[];
  /** Where something would appear or change. */
  rings: { x: number; y: number }[];
}

export function marksOf(
  tokens: readonly LivingToken[],
  after: Layout,
  steps: readonly Step[],
): MoveMarks {
  const then = follow(tokens, after.tokens, steps);
  const now = new Map(tokens.map((token) => [token.id, token]));
  const moved = new Map<string, { one: LivingToken; other: LivingToken }>();
  const rings: { x: number; y: number }[] = [];
  for (const token of then) {
    const known = now.get(token.id);
    if (known === undefined || (known.cell === token.cell && isChanged(known, token))) {
      rings.push({ x: token.x, y: token.y });
    } else if (known.cell !== token.cell) {
      // A whole stack goes as one.
      const key = `${known.cell} ${token.cell}`;
      const group = moved.get(key);
      const isHigher = group !== undefined && known.level > group.one.level;
      if (group === undefined || isHigher) {
        moved.set(key, { one: known, other: token });
      }
    }
  }
  const arrows = [...moved.values()].map(({ one, other }) => ({
    from: { x: one.x, y: one.y },
    to: { x: other.x, y: other.y },
  }));
  return { arrows, rings };
}

const isChanged = (one: LivingToken, other: LivingToken): boolean =>
  one.kind !== other.kind || one.side !== other.side || one.height !== other.height;
