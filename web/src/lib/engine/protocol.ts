/**
 * What the engine is asked and what it answers: the page's side of `crates/wasm/src/thinking.rs`
 * and of the types of `stoa-engine`.
 */
import type { Side } from '$lib/rules/protocol';

/** A value for the player to move. */
export interface Score {
  /** 400 are ten to one; none if the result is proven. */
  points: number | null;
  win_probability: number;
  proven: 'win' | 'loss' | null;
  /** How many turns a proven result takes. */
  turns: number | null;
}

export interface EngineLine {
  score: Score;
  moves: string[];
}

export interface Thought {
  strategy: string;
  /** Whose turn it is: the scores are theirs. */
  side: Side;
  depth: number;
  nodes: number;
  time: { secs: number; nanos: number };
  table_used: number;
  /** The best first; none when the game is over. */
  lines: EngineLine[];
}

/** What ends a search; the first limit that is reached counts. */
export interface Limits {
  /** Milliseconds. */
  time?: number;
  nodes?: number;
  /** Turns ahead; also says that the value is wanted, not a move to play. */
  depth?: number;
}

export type MoveClass = 'forced' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';

/** What is wrong with a move; `findings.ts` has the words. */
export type Finding =
  | { kind: 'missed-win'; turns: number; line: string }
  | { kind: 'allowed-loss'; turns: number; line: string }
  | {
      kind: 'difference';
      /** The name of what is different. */
      term: string;
      /** Whether the player who moved has more or less of it, or the other one. */
      own: boolean;
      /** Whether it is good to have. */
      good: boolean;
      now: number;
      instead: number;
      line: string;
    }
  | { kind: 'chances'; now: number; instead: number; reply: string | null };

export interface ReviewedMove {
  ply: number;
  side: Side;
  move: string;
  class: MoveClass;
  before: { mover: Score; first: Score };
  after: { mover: Score; first: Score };
  lost: number;
  best: string[];
  expected: string[];
  missed_win: number | null;
  allowed_loss: number | null;
  /** Reviews that were kept by earlier versions have none. */
  findings?: Finding[];
  /** The findings in English sentences. */
  reason: string | null;
}

export interface ReviewedPlayer {
  side: Side;
  average_loss: number | null;
  accuracy: number | null;
  counts: Record<MoveClass, number>;
  missed_wins: number;
  allowed_losses: number;
}

export interface Review {
  plies: number;
  moves: ReviewedMove[];
  players: [ReviewedPlayer, ReviewedPlayer];
  turning_points: number[];
  /** How probable it was that the first player wins, before the first move and after each. */
  curve: number[];
  complete: boolean;
}

export interface ReviewProgress {
  judged: number;
  positions: number;
}

/** Every question with the types of its answer and of the news before it. */
export interface EngineQuestions {
  think: {
    question: {
      game: string;
      position: string;
      limits?: Limits;
      level?: number;
      seed?: number;
      lines?: number;
    };
    answer: Thought;
    news: Thought;
  };
  review: {
    question: { game: string; start?: string; moves: string[]; limits?: Limits };
    answer: Review;
    news: ReviewProgress;
  };
  forget: { question: object; answer: null; news: never };
}

export const milliseconds = (time: Thought['time']): number => time.secs * 1000 + time.nanos / 1e6;
