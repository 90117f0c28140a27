/** The clocks that are offered, and what a wish looked like last time. */
import type { TimeControl, Side } from '$lib/online/wire';
import { readJson, writeJson } from '$lib/store/storage';

/** Seconds at the start, and for each move. */
export const PRESETS: readonly (readonly [initial: number, increment: number])[] = [
  [180, 2],
  [300, 5],
  [600, 10],
  [1800, 20],
];
export const DAYS = [1, 2, 3, 7, 14] as const;

/** What the server takes; it says so itself if this is ever out of date. */
export const LIMITS = {
  minutes: { least: 0.25, most: 180 },
  seconds: { least: 0, most: 180 },
} as const;

export type Who = 'friend' | 'anyone' | 'bot';

export interface LastWish {
  side: Side | 'random';
  who: Who;
  control: TimeControl;
  rated: boolean;
}

const KEY = 'stoa.last-challenge';
const USUAL: LastWish = {
  side: 'random',
  who: 'friend',
  control: { kind: 'clock', initial: 600, increment: 10 },
  rated: true,
};

/** What was wished for last, as far as it can be read. */
export function lastWish(): LastWish {
  const last = (readJson(KEY) ?? {}) as Partial<Record<keyof LastWish, unknown>>;
  const known = <T extends string>(value: unknown, values: readonly T[], usual: T): T =>
    values.find((one) => one === value) ?? usual;
  return {
    side: known(last.side, ['first', 'second', 'random'], USUAL.side),
    who: known(last.who, ['friend', 'anyone', 'bot'], USUAL.who),
    control: controlOf(last.control) ?? USUAL.control,
    rated: typeof last.rated === 'boolean' ? last.rated : USUAL.rated,
  };
}

export const keepWish = (wish: LastWish): boolean => writeJson(KEY, wish);

/** A control of unknown origin, if it is one. */
export function controlOf(value: unknown): TimeControl | undefined {
  const given = (value ?? {}) as Record<string, unknown>;
  const { kind, initial, increment, days } = given;
  if (kind === 'unlimited') return { kind };
  if (kind === 'days' && DAYS.some((one) => one === days)) return { kind, days: Number(days) };
  if (kind === 'clock' && Number.isInteger(initial) && Number.isInteger(increment)) {
    const control = { kind, initial: Number(initial), increment: Number(increment) } as const;
    return isAllowed(control) ? control : undefined;
  }
  return undefined;
}

export const isAllowed = ({ initial, increment }: { initial: number; increment: number }) =>
  Number.isInteger(initial) &&
  Number.isInteger(increment) &&
  initial >= LIMITS.minutes.least * 60 &&
  initial <= LIMITS.minutes.most * 60 &&
  increment >= LIMITS.seconds.least &&
  increment <= LIMITS.seconds.most;
