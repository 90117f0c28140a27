/** Reports as `stoa report` writes them, and how their figures are written for people. */
import { locale } from '$lib/i18n/locale.svelte';
import type { Side } from '$lib/rules/protocol';

/** A figure and its bounds; nothing where there is none. */
export interface Bounded {
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface Played {
  nodes: number;
  games: number;
  results: [number, number, number];
  first_score: Bounded;
  draws: Bounded;
  ends: [string, Bounded][];
  length: { mean: Bounded; quantiles: number[]; histogram: number[]; width: number };
  branching: Bounded;
  branching_by_phase: Bounded[];
  lead_changes: Bounded;
  decided: Bounded | null;
  comebacks: Bounded | null;
  behind_wins: Bounded | null;
  winner_by_phase: Bounded[];
}

export interface CellUse {
  name: string;
  x: number;
  y: number;
  used: number;
}

export interface Figures {
  unit: 'nodes' | 'playouts';
  strengths: Played[];
  depth: { nodes: number; pairs: number; estimate: { elo: Bounded } }[];
  choice: { legal: Bounded; good: Bounded; random_cost: Bounded } | null;
  board: CellUse[];
  rules: { id: string; a_game: Bounded }[];
  openings: {
    first_moves: { move: string; score: Bounded | null }[];
    pie: string[];
  };
  examples: { of: string; plies: number; record: string }[];
}

export interface Exact {
  winner: Side | null;
  plies: number | null;
  first_moves: { move: string; winner: Side | null; plies: number | null }[];
  lengths: number[];
  record: string | null;
}

export interface Board {
  id: string;
  name: string;
  command: string;
  exact: Exact | null;
  figures: Figures | null;
}

export interface Report {
  code: string;
  boards: Board[];
}

export const readReport = (data: string): Report => JSON.parse(data) as Report;

/** A whole number, with the language's way of grouping digits. */
export const whole = (count: number): string => new Intl.NumberFormat(locale()).format(count);

function withError({ value, low, high }: Bounded, scale: number, unit: string): string {
  if (value === null) return '∞';
  const error = low === null || high === null ? undefined : ((high - low) / 2) * scale;
  const digits = error === undefined || error >= 1 || error < 0.001 ? 0 : error >= 0.1 ? 1 : 2;
  const write = (number: number) =>
    new Intl.NumberFormat(locale(), {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(number);
  const text = write(value * scale);
  // No line ends within a figure.
  return (error === undefined ? text : `${text}\u00a0±\u00a0${write(error)}`) + unit;
}

/** A share of the whole: `56 ± 2%`, with the sign as the language has it. */
export const percent = (figure: Bounded): string => withError(figure, 100, percentSign());

function percentSign(): string {
  const parts = new Intl.NumberFormat(locale(), { style: 'percent' }).formatToParts(0);
  return parts
    .filter(({ type }) => type !== 'integer')
    .map(({ value }) => value)
    .join('');
}

/** A number: `61.3 ± 0.4`. */
export const number = (figure: Bounded): string => withError(figure, 1, '');
