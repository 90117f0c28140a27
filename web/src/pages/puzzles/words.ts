import { m } from '$messages';
import type { PuzzleGoal as Goal, Theme } from './data';

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

/** What is asked of a side. */
export function taskWords(goal: Goal, side: string): string {
  if (goal === 'win') return m.puzzles_goal_win({ side });
  if ('hold' in goal) return m.puzzles_goal_hold({ side });
  const turns = goal['win-within'];
  return turns === 1 ? m.puzzles_goal_at_once({ side }) : m.puzzles_goal_within({ side, turns });
}

/** What is proven about the solution. */
export function proofWords(goal: Goal): string {
  if (goal === 'win') return m.puzzles_proven();
  if ('hold' in goal) {
    return goal.hold === 1
      ? m.puzzles_proven_hold_once()
      : m.puzzles_proven_hold({ turns: goal.hold });
  }
  const turns = goal['win-within'];
  return turns === 1 ? m.puzzles_proven_at_once() : m.puzzles_proven_within({ turns });
}
