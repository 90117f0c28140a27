/** What the engine's evaluation counts in Colossus, by name. */
import { m } from '$messages';
import type { Terms } from '../game';

export const terms: Terms = {
  stones: { words: m.term_colossus_stones },
  towers: { words: m.term_colossus_towers },
  exposed: { words: m.term_colossus_exposed },
  room: { words: m.term_colossus_room },
  siege: { words: m.term_colossus_siege },
  'siege-close': { words: m.term_colossus_siege_close, isSingle: true },
  'late-stones': { words: m.term_colossus_late_stones },
  'near-empty-towers': { words: m.term_colossus_near_empty_towers },
};
