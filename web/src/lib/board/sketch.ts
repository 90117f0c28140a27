/** What people draw on a board while they think: arrows, and rings around cells. */
import type { Step } from '$lib/rules/protocol';
import { sameStep } from './navigate';

/** By the keys that are held, as on other boards: none, Shift, Alt, both. */
export const INKS = ['green', 'red', 'blue', 'yellow'] as const;
export type Ink = (typeof INKS)[number];

export interface Sketch {
  from: Step;
  /** The same as `from` for a ring. */
  to: Step;
  ink: Ink;
}

export const inkOf = (keys: { shiftKey: boolean; ctrlKey: boolean; altKey: boolean }): Ink =>
  INKS[(keys.shiftKey || keys.ctrlKey ? 1 : 0) + (keys.altKey ? 2 : 0)] ?? 'green';

const isAt = (one: Sketch, other: Sketch) =>
  sameStep(one.from, other.from) && sameStep(one.to, other.to);

/** Draws it, draws it in another ink, or takes it away if it is there. */
export function toggled(sketches: readonly Sketch[], sketch: Sketch): Sketch[] {
  const others = sketches.filter((one) => !isAt(one, sketch));
  const known = sketches.find((one) => isAt(one, sketch));
  return known?.ink === sketch.ink ? others : [...others, sketch];
}
