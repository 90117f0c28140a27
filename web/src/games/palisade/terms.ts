/** What the engine's evaluation counts in Palisade, by name. */
import { m } from '$messages';
import type { Terms } from '../game';

export const terms: Terms = {
  owned: { words: m.term_palisade_owned },
  stones: { words: m.term_palisade_stones },
  links: { words: m.term_palisade_links },
  'last-of-four': { words: m.term_palisade_last_of_four },
  captures: { words: m.term_palisade_captures },
  smothered: { words: m.term_palisade_smothered },
  breaths: { words: m.term_palisade_breaths },
};
