/** What a click means, given what may be clicked. */
import type { Choices, Step } from '$lib/rules/protocol';
import { sameStep } from './navigate';

export type Meaning =
  /** It continues the move being made. */
  | { kind: 'go-on'; step: Step }
  /** It begins another move. */
  | { kind: 'begin'; step: Step }
  /** It ends a move that could continue. */
  | { kind: 'finish'; move: string }
  /** It takes back what was selected. */
  | { kind: 'cancel' }
  /** No legal move continues or begins like this. */
  | { kind: 'refused' };

/**
 * The step among the choices that a click means: the checker clicked, else the cell, else the
 * highest checker of the cell that can be picked up.
 */
export function understood(next: readonly Step[], step: Step): Step | undefined {
  const exact = next.find((choice) => sameStep(choice, step));
  if (exact !== undefined) return exact;
  const onCell = next.filter((choice) => choice.cell === step.cell);
  const whole = onCell.find((choice) => choice.level === 0);
  if (whole !== undefined || step.level !== 0) return whole;
  return onCell.reduce<Step | undefined>(
    (highest, choice) => (choice.level > (highest?.level ?? 0) ? choice : highest),
    undefined,
  );
}

/**
 * What a click means after others. `first` is what may begin a move, `now` what may follow the
 * clicks so far.
 */
export function meaningOf(
  step: Step,
  clicks: readonly Step[],
  first: Choices,
  now: Choices,
): Meaning {
  const next = understood(now.next, step);
  if (next !== undefined) return { kind: 'go-on', step: next };
  const last = clicks.at(-1);
  if (last?.cell === step.cell) {
    return now.complete === null ? { kind: 'cancel' } : { kind: 'finish', move: now.complete };
  }
  const beginning = understood(first.next, step);
  if (clicks.length > 0 && beginning !== undefined) return { kind: 'begin', step: beginning };
  return { kind: 'refused' };
}
