/** Arrows for a move: what would go where, and what would appear. It compares what is seen. */
import type { LivingToken, Look } from '$lib/board/look';
import { follow } from '$lib/board/tokens';
import type { Step, View } from '$lib/rules/protocol';

export interface Arrow {
  from: { x: number; y: number };
  to: { x: number; y: number };
}

export interface MoveMarks {
  arrows: Arrow[];
  /** Where something would appear or change. */
  rings: { x: number; y: number }[];
}

export function marksOf(
  tokens: readonly LivingToken[],
  look: Look,
  after: View,
  steps: readonly Step[],
): MoveMarks {
  const then = follow(tokens, look.layout(after).tokens, steps);
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

/** An arrow as a path, with its head. */
export function arrowPath({ from, to }: Arrow, width: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(width * 2.6, length * 0.6);
  const half = width / 2;
  const at = (along: number, across: number) =>
    `${(from.x + ux * along - uy * across).toFixed(1)} ${(from.y + uy * along + ux * across).toFixed(1)}`;
  const neck = length - head;
  return (
    `M${at(0, half)}L${at(neck, half)}L${at(neck, half * 2.6)}L${at(length, 0)}` +
    `L${at(neck, -half * 2.6)}L${at(neck, -half)}L${at(0, -half)}z`
  );
}
