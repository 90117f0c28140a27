/** What is said about a mistake: what it cost, and why it was one. */
import { m } from '$messages';
import { type GameId, GAMES } from '$games/index';
import { findingWords } from '$lib/engine/findings';
import type { Finding } from '$lib/engine/protocol';
import { percentWords, sideName } from '$lib/i18n/words';
import type { JudgedMove } from '$lib/review/exact';
import { otherSide } from '$lib/rules/protocol';

/** What a mistake cost, in one or two sentences. */
export function costWords(game: GameId, move: JudgedMove): string {
  const { before, after, certain } = move;
  const other = sideName(game)(otherSide(move.side));
  if (certain) {
    const { legal, winning, played, best, replies } = certain;
    if (best.verdict === 'loss') {
      const sooner = m.review_lost_sooner({
        played: played.plies ?? 0,
        best: best.move,
        plies: best.plies ?? 0,
      });
      const hard = replies ? m.review_replies({ ...replies, other }) : '';
      return `${m.review_lost_already({ legal })} ${sooner} ${hard}`.trim();
    }
    return m.review_thrown_away({ winning, legal });
  }
  if (before.mover.proven === 'win' && after.mover.proven === 'loss') return m.review_win_to_loss();
  const [from, to] = [before, after].map(({ mover }) => percentWords(mover.win_probability));
  return m.review_falls({ side: sideName(game)(move.side), from: from ?? '', to: to ?? '' });
}

/**
 * Everything about a mistake, sentence by sentence. Who is to find something better is not told what that
 * is: only what the mistake gives up and allows.
 */
export async function mistakeWords(
  game: GameId,
  move: JudgedMove,
  isTold: boolean,
): Promise<string[]> {
  const sentences = [costWords(game, move)];
  if (!isTold && move.missed_win !== null) {
    sentences.push(m.review_missed_win({ turns: String(move.missed_win) }));
  }
  // The first sentence has said what becomes of the chances.
  const tells = ({ kind }: Finding) => kind !== 'chances' && (isTold || kind !== 'missed-win');
  const told = move.findings.filter(tells);
  sentences.push(...(await wordsOf(game, move, told)));
  const [reply] = move.expected;
  const names = (finding: Finding) =>
    finding.kind === 'allowed-loss' ||
    (finding.kind === 'difference' && finding.line.split(' ')[0] === reply);
  if (reply !== undefined && !told.some(names)) {
    const other = sideName(game)(otherSide(move.side));
    sentences.push(m.review_allows({ other, reply }));
  }
  return sentences;
}

/** Why a move was a mistake, in the page's language; empty if that cannot be said. */
export const reasonWords = async (game: GameId, move: JudgedMove): Promise<string> =>
  (await wordsOf(game, move, move.findings)).join(' ');

async function wordsOf(
  game: GameId,
  { side }: JudgedMove,
  findings: readonly Finding[],
): Promise<string[]> {
  const { terms } = await GAMES[game].loadTerms();
  const said = findings.map((finding) => findingWords(game, terms, side, finding));
  // A server may find what this version of the page has no words for.
  return said.filter((words) => words !== undefined);
}
