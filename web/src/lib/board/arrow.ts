/** Arrows over the board, in board units. */
export interface Arrow {
  from: { x: number; y: number };
  to: { x: number; y: number };
}

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
