/** The graph of a game as SVG paths, in a box that is 100 wide and 100 high. */

/** Where a ply is, from the left. */
export const placeOf = (ply: number, plies: number): number =>
  plies === 0 ? 0 : (ply / plies) * 100;

/** The line of probabilities for the first player, who is below it. */
export function linePath(curve: readonly number[]): string {
  const points = curve.map((value, ply) => point(value, ply, curve.length - 1));
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** What is below the line. */
export function areaPath(curve: readonly number[]): string {
  return curve.length === 0 ? '' : `${linePath(curve)}L100 100L0 100Z`;
}

const rounded = (value: number) => Math.round(value * 100) / 100;
const point = (value: number, ply: number, plies: number) =>
  `${rounded(placeOf(ply, plies))} ${rounded(100 - value * 100)}`;

/** The ply at a place of the graph, counted from 0 to 1. */
export const plyAt = (place: number, plies: number): number =>
  Math.round(Math.min(1, Math.max(0, place)) * plies);
