/** What the engine's evaluation counts in Colonnade, by name. */
import { m } from '$messages';
import type { Terms } from '../game';

export const terms: Terms = {
  moves: { words: m.term_colonnade_moves },
  tops: { words: m.term_colonnade_tops },
  checkers: { words: m.term_colonnade_checkers },
  buried: { words: m.term_colonnade_buried },
};
