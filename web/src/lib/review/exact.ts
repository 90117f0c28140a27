/**
 * Reviews where the truth is known: in a solved game what best play leads to is certain, so a move
 * is judged by that and not by what the engine thinks. A lost position stays lost whatever is
 * played; what counts there is how long it takes, and how hard it is for the other player.
 */
import type { Finding, Known, MoveClass, ReviewedMove, Score, Worth } from '$lib/engine/protocol';
import { negated } from './judge';

/** What is certain about a move that was played. */
export interface Certain {
  /** How many moves there were, and how many of them won. */
  legal: number;
  winning: number;
  /** The value of the move played, and of the best one. */
  played: Worth;
  best: Worth;
  /** The answers to it, and how many of them win for the other player; nothing if it ended the game. */
  replies?: { legal: number; winning: number };
}

/** A move with what is certain about it, where anything is. */
export type JudgedMove = ReviewedMove & { certain?: Certain };

/** In a lost position, from this part of the way given up on it is worth a word. */
const LEAST_SHORTENING = 0.5;
/** A game that ends this few plies sooner is no shorter that anyone would notice. */
const FEW_PLIES = 3;

const CHANCES = { win: 1, draw: 0.5, loss: 0 } as const;

const scoreOf = ({ verdict }: Worth, turns: number | null): Score => ({
  points: null,
  win_probability: CHANCES[verdict],
  proven: verdict === 'draw' ? null : verdict,
  turns: verdict === 'draw' ? null : turns,
});

const isAsGood = (a: Worth, b: Worth) => a.verdict === b.verdict && a.plies === b.plies;

/** Which part of the best resistance a move in a lost position gives up, by the values before and after it. */
export function shortening({ before, after }: Pick<ReviewedMove, 'before' | 'after'>): number {
  const [best, left] = [before.mover, after.mover];
  if (best.proven !== 'loss' || left.proven !== 'loss') return 0;
  if (best.turns === null || left.turns === null) return 0;
  const sooner = best.turns - left.turns - 1;
  return sooner <= FEW_PLIES ? 0 : sooner / best.turns;
}

function classOf({ legal, played, best }: Certain, givenUp: number): MoveClass {
  if (legal === 1) return 'forced';
  if (CHANCES[played.verdict] < CHANCES[best.verdict]) return 'blunder';
  if (isAsGood(played, best)) return 'best';
  return givenUp >= LEAST_SHORTENING ? 'inaccuracy' : 'good';
}

/**
 * A move as it is for certain. `before` is what is known of the position it was played in, `after`
 * of the one it led to; nothing if the game was over then.
 */
export function certainMove(
  move: ReviewedMove,
  before: Known | null,
  after: Known | null,
): JudgedMove {
  const [best] = before?.moves ?? [];
  const played = before?.moves.find((worth) => worth.move === move.move);
  if (before === null || best === undefined || played === undefined) return move;
  const wins = (known: Known) => known.moves.filter(({ verdict }) => verdict === 'win').length;
  const certain: Certain = {
    legal: before.legal,
    winning: wins(before),
    played,
    best,
    ...(after && after.legal > 0 ? { replies: { legal: after.legal, winning: wins(after) } } : {}),
  };
  const forFirst = (score: Score) => (move.side === 'first' ? score : negated(score));
  const value = (mover: Score) => ({ mover, first: forFirst(mover) });
  const values = {
    before: value(scoreOf(best, best.plies)),
    after: value(scoreOf(played, left(played))),
  };
  const kind = classOf(certain, shortening(values));
  const isBest = kind === 'best' || kind === 'forced';
  const isMissed = best.verdict === 'win' && played.verdict !== 'win';
  const isAllowed = played.verdict === 'loss' && best.verdict !== 'loss';
  return {
    ...move,
    class: kind,
    ...values,
    lost: CHANCES[best.verdict] - CHANCES[played.verdict],
    best: isBest ? [move.move] : [best.move],
    expected: [],
    // How long it takes may not be known; then nothing is said about it.
    missed_win: isMissed ? best.plies : null,
    allowed_loss: isAllowed ? left(played) : null,
    findings: [],
    reason: null,
    certain,
  };
}

/** The plies that are left after a move. */
const left = ({ plies }: Worth) => (plies === null ? null : plies - 1);

/** The findings about a mistake, once it is known how the lines go on. */
export function findingsOf(move: JudgedMove): Finding[] {
  const findings: Finding[] = [];
  const line = (moves: string[]) => (moves.length > 3 ? [...moves.slice(0, 3), '…'] : moves);
  if (move.missed_win !== null) {
    const found = { turns: move.missed_win, line: line(move.best).join(' ') };
    findings.push({ kind: 'missed-win', ...found });
  }
  if (move.allowed_loss !== null) {
    const found = { turns: move.allowed_loss, line: line(move.expected).join(' ') };
    findings.push({ kind: 'allowed-loss', ...found });
  }
  return findings;
}
