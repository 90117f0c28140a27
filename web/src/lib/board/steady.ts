/**
 * What has not changed keeps its identity from one position to the next. So of a board with hundreds
 * of cells only those that a move changes are drawn anew.
 */
import type { Spot, View } from '$lib/rules/protocol';
import type { Target } from './look';
import { stepKey } from './navigate';

/** The view, with every spot of the one before that is the same. */
export function steadyView(before: View | undefined, after: View): View {
  if (before === undefined) return after;
  const known = new Map(before.spots.map((spot) => [spot.cell, spot]));
  const spots = after.spots.map((spot) => {
    const old = known.get(spot.cell);
    return old !== undefined && isSameSpot(old, spot) ? old : spot;
  });
  return { ...after, spots };
}

const isSameSpot = (one: Spot, other: Spot): boolean =>
  one.x === other.x &&
  one.y === other.y &&
  one.name === other.name &&
  one.owner === other.owner &&
  one.ground === other.ground &&
  (one.piece === other.piece || JSON.stringify(one.piece) === JSON.stringify(other.piece));

/** The targets, with every one of those before that is the same. */
export function steadyTargets(before: readonly Target[], after: readonly Target[]): Target[] {
  const known = new Map(before.map((target) => [stepKey(target.step), target]));
  return after.map((target) => {
    const old = known.get(stepKey(target.step));
    return old !== undefined && isSameTarget(old, target) ? old : target;
  });
}

const isSameTarget = (one: Target, other: Target): boolean =>
  one.spot === other.spot &&
  one.x === other.x &&
  one.y === other.y &&
  one.row === other.row &&
  one.area === other.area &&
  one.outline === other.outline &&
  one.footing === other.footing;
