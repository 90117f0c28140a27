/** What the engine's evaluation counts in Columna, by name. */
import { m } from '$messages';
import type { Terms } from '../game';

export const terms: Terms = {
  ones: { words: m.term_columna_ones },
  twos: { words: m.term_columna_twos },
  threes: { words: m.term_columna_threes },
  fours: { words: m.term_columna_fours },
  'one-to-take': { words: m.term_columna_one_to_take },
  'two-to-take': { words: m.term_columna_two_to_take },
  'three-to-take': { words: m.term_columna_three_to_take },
  'four-to-make': { words: m.term_columna_four_to_make },
  sight: { words: m.term_columna_sight },
  links: { words: m.term_columna_links },
  bridge: { words: m.term_columna_bridge, isSingle: true },
  deadly: { words: m.term_columna_deadly },
  middle: { words: m.term_columna_middle },
  'three-to-take-now': { words: m.term_columna_three_to_take_now, isSingle: true },
  'four-to-make-now': { words: m.term_columna_four_to_make_now, isSingle: true },
  'safe-spaces': { words: m.term_columna_safe_spaces },
  'safe-ones': { words: m.term_columna_safe_ones },
  'safe-twos': { words: m.term_columna_safe_twos },
  'safe-threes': { words: m.term_columna_safe_threes },
  ground: { words: m.term_columna_ground },
  'stack-moves': { words: m.term_columna_stack_moves },
  stuck: { words: m.term_columna_stuck },
};
