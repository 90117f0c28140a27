/** What is said about a mistake: what it cost, and why it was one. */
import { m } from '$messages';
import { type GameId, GAMES } from '$games/index';
import { findingWords } from '$lib/engine/findings';
import { sideName } from '$lib/i18n/words';
import { otherSide } from '$lib/rules/protocol';
import type { JudgedMove } from '$lib/review/exact';
import { hundredths } from '$lib/review/judge';

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
  const cost = m.review_cost({ count: hundredths(move.lost) });
  if (move.missed_win !== null) return `${cost} ${m.review_missed_win({ turns: move.missed_win })}`;
  if (move.allowed_loss !== null)
    return `${cost} ${m.review_allowed_loss({ turns: move.allowed_loss })}`;
  return cost;
}

/** Why a move was a mistake, in the page's language; empty if that cannot be said. */
export async function reasonWords(game: GameId, move: JudgedMove): Promise<string> {
  const { terms } = await GAMES[game].loadTerms();
  const said = move.findings.map((finding) => findingWords(game, terms, move.side, finding));
  return said.includes(undefined) ? '' : said.join(' ');
}
