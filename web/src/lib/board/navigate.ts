/** From cell to cell with the arrow keys, by where the cells are drawn. */
import type { Step } from '$lib/rules/protocol';
import type { Target } from './look';

export type Direction = 'left' | 'right' | 'up' | 'down';

const VECTORS: Record<Direction, [number, number]> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

export const sameStep = (a: Step | null | undefined, b: Step | null | undefined): boolean =>
  a != null && b != null && a.cell === b.cell && a.level === b.level;

/** A text that is the same for equal steps only. */
export const stepKey = (step: Step): string => `${step.cell}.${step.level}`;

/**
 * The nearest target in a direction; the one itself at the edge of the board. Left and right keep
 * to the row; up and down always lead to the next one, also where every other square is left out.
 */
export function neighbour(targets: readonly Target[], from: Target, direction: Direction): Target {
  const [vx, vy] = VECTORS[direction];
  const { column } = from;
  if (column !== undefined) {
    // However high a stack is, beside it is the next one, and above it nothing.
    const beside = targets.filter((target) => target.column === column + vx);
    const onWay = vy === 0 ? beside : beside.filter((target) => (target.y - from.y) * vy > 0);
    return nearest(onWay, from) ?? from;
  }
  let best = from;
  let least = Infinity;
  for (const target of targets) {
    const [dx, dy] = [target.x - from.x, target.y - from.y];
    const along = dx * vx + dy * vy;
    const across = Math.abs(dx * vy - dy * vx);
    // Neighbours on hexagons lie up to sixty degrees off; what is further off is another way.
    if (along < 1 || across > 1.8 * along) continue;
    const cost = along + (vy === 0 ? 2 : 0.9) * across;
    if (cost < least) [best, least] = [target, cost];
  }
  return best;
}

/** The one that is nearest in height. */
function nearest(targets: readonly Target[], { y }: Target): Target | undefined {
  return targets.reduce<Target | undefined>((best, target) => {
    const isNearer = best === undefined || Math.abs(target.y - y) < Math.abs(best.y - y);
    return isNearer ? target : best;
  }, undefined);
}

/** The first or last target of the row of another. */
export function endOfRow(targets: readonly Target[], from: Target, last: boolean): Target {
  const row = targets.filter((target) => target.row === from.row).sort((a, b) => a.x - b.x);
  return (last ? row.at(-1) : row[0]) ?? from;
}
