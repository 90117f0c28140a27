/** The signs behind moves, in words. */
import { m } from '$messages';

const WORDS: Record<string, () => string> = {
  '!!': m.analyse_glyph_brilliant,
  '!': m.analyse_glyph_good,
  '!?': m.analyse_glyph_interesting,
  '?!': m.analyse_glyph_dubious,
  '?': m.analyse_glyph_mistake,
  '??': m.analyse_glyph_blunder,
};

export const glyphWords = (glyph: string): string => WORDS[glyph]?.() ?? glyph;
