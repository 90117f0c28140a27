/**
 * What is wrong with a move, in the language of the page: the engine gives findings as data;
 * every game's folder has the words for its terms, and a test compares them with the engine's.
 */
import { m } from '$messages';
import type { Terms } from '$games/game';
import type { GameId } from '$games/index';
import { percentWords, sideName } from '$lib/i18n/words';
import { otherSide, type Side } from '$lib/rules/protocol';
import type { Finding } from './protocol';

/** Nothing if there are no words for it in this version of the page. */
export function findingWords(
  game: GameId,
  terms: Terms,
  side: Side,
  finding: Finding,
): string | undefined {
  const [mover, other] = [side, otherSide(side)].map(sideName(game)) as [string, string];
  switch (finding.kind) {
    case 'missed-win':
      return trimmed(m.finding_missed_win({ turns: String(finding.turns), line: finding.line }));
    case 'allowed-loss':
      return trimmed(
        m.finding_allowed_loss({ turns: String(finding.turns), line: finding.line, other }),
      );
    case 'difference': {
      const { line } = finding;
      const what = differenceWords(terms, finding, mover, other);
      if (what === undefined) return undefined;
      return line === '' ? m.finding_at_once({ what }) : m.finding_after({ what, line });
    }
    case 'chances': {
      const { reply } = finding;
      const [now, instead] = [percentWords(finding.now), percentWords(finding.instead)];
      return reply === null
        ? m.finding_chances({ mover, now, instead })
        : m.finding_chances_after({ mover, now, instead, reply });
    }
  }
}

/** A line that trails off needs no full stop. */
const trimmed = (sentence: string): string => sentence.replace(/…\.$/, '…');

function differenceWords(
  terms: Terms,
  { term: name, own, good, now, instead }: Extract<Finding, { kind: 'difference' }>,
  mover: string,
  other: string,
): string | undefined {
  const known = terms[name];
  if (known === undefined) return undefined;
  const term = known.words();
  if (known.isSingle) {
    if (own)
      return good ? m.finding_own_good_one({ term }) : m.finding_own_bad_one({ term, mover });
    return good
      ? m.finding_other_good_one({ term, other })
      : m.finding_other_bad_one({ term, other });
  }
  const numbers = { now, instead };
  if (own) {
    return good
      ? m.finding_own_good({ term, mover, ...numbers })
      : m.finding_own_bad({ term, mover, ...numbers });
  }
  return good
    ? m.finding_other_good({ term, other, ...numbers })
    : m.finding_other_bad({ term, other, ...numbers });
}
