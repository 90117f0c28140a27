import { m } from '$messages';
import type { Theme } from './data';

const THEMES: Record<Theme, () => string> = {
  block: m.puzzles_theme_block,
  path: m.puzzles_theme_path,
  'bear-off': m.puzzles_theme_bear_off,
  crown: m.puzzles_theme_crown,
  transpose: m.puzzles_theme_transpose,
  removal: m.puzzles_theme_removal,
  capture: m.puzzles_theme_capture,
  loop: m.puzzles_theme_loop,
  claim: m.puzzles_theme_claim,
  siege: m.puzzles_theme_siege,
};

export const themeWords = (theme: Theme): string => THEMES[theme]();
