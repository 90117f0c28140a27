/**
 * The graph of a game as SVG paths, in a box that is 100 wide and 100 high. It reads like the bar
 * beside the board: the player who sits below fills it from below, in the colour of their pieces.
 */
import type { Side } from '$lib/rules/protocol';

/** Where a ply is, from the left. */
export const placeOf = (ply: number, plies: number): number =>
  plies === 0 ? 0 : (ply / plies) * 100;

/** How high the line is at a probability of the first player, from the top. */
export const heightOf = (value: number, below: Side): number =>
  below === 'first' ? 100 - value * 100 : value * 100;

/** The unbroken parts of a curve that has gaps where nothing is known yet. */
function parts(curve: readonly (number | undefined)[]): { ply: number; value: number }[][] {
  const found: { ply: number; value: number }[][] = [];
  let current: { ply: number; value: number }[] = [];
  curve.forEach((value, ply) => {
    if (value !== undefined) current.push({ ply, value });
    else if (current.length > 0) {
      found.push(current);
      current = [];
    }
  });
  return current.length > 0 ? [...found, current] : found;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

function points(part: { ply: number; value: number }[], plies: number, below: Side): string {
  return part
    .map(({ ply, value }) => `${rounded(placeOf(ply, plies))} ${rounded(heightOf(value, below))}`)
    .join('L');
}

/** The line of probabilities. */
export function linePath(curve: readonly (number | undefined)[], below: Side): string {
  return parts(curve)
    .map((part) => `M${points(part, curve.length - 1, below)}`)
    .join('');
}

/** What is below the line. */
export function areaPath(curve: readonly (number | undefined)[], below: Side): string {
  const plies = curve.length - 1;
  return parts(curve)
    .map((part) => {
      const [left, right] = [part[0]?.ply ?? 0, part.at(-1)?.ply ?? 0].map((ply) =>
        rounded(placeOf(ply, plies)),
      );
      return `M${points(part, plies, below)}L${right} 100L${left} 100Z`;
    })
    .join('');
}

/** The whole height, wherever anything is known. */
export function knownPath(curve: readonly (number | undefined)[]): string {
  const plies = curve.length - 1;
  return parts(curve)
    .map((part) => {
      const [left, right] = [part[0]?.ply ?? 0, part.at(-1)?.ply ?? 0].map((ply) =>
        rounded(placeOf(ply, plies)),
      );
      return `M${left} 0H${right}V100H${left}Z`;
    })
    .join('');
}

/** The ply at a place of the graph, counted from 0 to 1. */
export const plyAt = (place: number, plies: number): number =>
  Math.round(Math.min(1, Math.max(0, place)) * plies);
