/** What the engine's evaluation counts in Impasse, by name. */
import { m } from '$messages';
import type { Terms } from '../game';

export const terms: Terms = {
  moves: { words: m.term_impasse_moves },
  stuck: { words: m.term_impasse_stuck, isSingle: true },
  transposes: { words: m.term_impasse_transposes },
  waiting: { words: m.term_impasse_waiting, isSingle: true },
  'single-row-1': { words: m.term_impasse_single_row_1 },
  'single-row-2': { words: m.term_impasse_single_row_2 },
  'single-row-7': { words: m.term_impasse_single_row_7 },
  'single-row-8': { words: m.term_impasse_single_row_8 },
  'double-row-1': { words: m.term_impasse_double_row_1 },
  'double-row-2': { words: m.term_impasse_double_row_2 },
  'double-row-3': { words: m.term_impasse_double_row_3 },
  'double-row-5': { words: m.term_impasse_double_row_5 },
  'double-row-7': { words: m.term_impasse_double_row_7 },
};
