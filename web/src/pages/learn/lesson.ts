/**
 * What a lesson is made of. A step is data: a position, what is to be done in it, and its words.
 * No rule is written here; whether a goal is reached is read off what the rules answer.
 */
import type { GameId } from '$games/index';
import type { ByPiece, Piece, Side } from '$lib/rules/protocol';

/** What a move must do; everything that is given must hold. */
export interface Goal {
  /** The move is one of these. */
  moves?: string[];
  /** How the game is over after it, for the one who moves. */
  outcome?: 'win' | 'loss' | 'draw';
  /** How many pieces the other player has fewer. */
  captures?: number;
  /** How many pieces the mover has fewer. */
  sheds?: number;
  /** What stands on these cells after it; `null` is nothing. */
  on?: Record<string, Piece | null>;
  /** What both have of what counts after it, the first player first. */
  counts?: [number, number];
}

/** One move of the learner, and the scripted reply to it. An empty goal takes any legal move. */
export interface Turn {
  goal: Goal;
  reply?: string;
}

type Words = () => string;

export interface LessonStep {
  /** Its name in the address and in what is kept. */
  id: string;
  /** The game with its options. */
  game: string;
  position: string;
  turns: Turn[];
  /** The clauses, rulings and figures of the rule sheet that it teaches: `4`, `R2`, `figure 3`. */
  covers: string[];
  title: Words;
  idea: Words;
  task: Words;
  done: Words;
  /** Said to a legal move that is not the one; left out where every legal move is. */
  other?: Words;
}

export interface Lesson {
  game: GameId;
  /** The owner of each thing that a piece counts as, when captures are counted. */
  owners: ByPiece<[], readonly (Side | null)[]>;
  steps: LessonStep[];
  exercises: LessonStep[];
}

/** The part of the address after the last step; no step is called so. */
export const END = 'finished';

/** Everything to be done, in order. */
export const allSteps = (lesson: Lesson): LessonStep[] => [...lesson.steps, ...lesson.exercises];
