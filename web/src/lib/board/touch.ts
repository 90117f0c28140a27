/** Fingers are wide: which target a touch means, and whether targets are small for them. */
import type { Target } from './look';

interface Point {
  x: number;
  y: number;
}

/** Nearer together than this, in pixels, targets are small for a finger. */
export const SMALL_SPACING = 32;
/** How far from a possible target a touch may be and still mean it, in pixels. */
export const REACH = 26;

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** How near together the middles of targets are, in board units. */
export function spacingOf(targets: readonly Target[]): number {
  let least = Infinity;
  targets.forEach((one, i) => {
    for (let j = i + 1; j < targets.length; j += 1) {
      const other = targets[j];
      if (other) least = Math.min(least, distance(one, other));
    }
  });
  return least;
}

/**
 * The target that a touch means: the one under the finger if it may be clicked, else the nearest one
 * that may be, if it is within reach; else the one under the finger.
 */
export function meantBy(
  point: Point,
  under: Target | undefined,
  possible: readonly Target[],
  reach: number,
): Target | undefined {
  if (under && possible.includes(under)) return under;
  let best: Target | undefined;
  let least = reach;
  for (const target of possible) {
    const away = distance(point, target);
    if (away <= least) [best, least] = [target, away];
  }
  return best ?? under;
}
