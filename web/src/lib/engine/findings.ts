/**
 * What is wrong with a move, in the language of the page: the engine gives findings as data, the
 * words are messages, and a test compares the terms with those that the engine knows.
 */
import { m } from '$messages';
import { percentWords, sideName } from '$lib/i18n/words';
import { type GameId, otherSide, type Side } from '$lib/rules/protocol';
import type { Finding } from './protocol';

/** What the evaluation counts, by game and name. */
export const TERMS: Record<string, () => string> = {
  'colonnade-moves': m.term_colonnade_moves,
  'colonnade-tops': m.term_colonnade_tops,
  'colonnade-checkers': m.term_colonnade_checkers,
  'colonnade-buried': m.term_colonnade_buried,
  'impasse-moves': m.term_impasse_moves,
  'impasse-stuck': m.term_impasse_stuck,
  'impasse-transposes': m.term_impasse_transposes,
  'impasse-waiting': m.term_impasse_waiting,
  'impasse-single-row-1': m.term_impasse_single_row_1,
  'impasse-single-row-2': m.term_impasse_single_row_2,
  'impasse-single-row-7': m.term_impasse_single_row_7,
  'impasse-single-row-8': m.term_impasse_single_row_8,
  'impasse-double-row-1': m.term_impasse_double_row_1,
  'impasse-double-row-2': m.term_impasse_double_row_2,
  'impasse-double-row-3': m.term_impasse_double_row_3,
  'impasse-double-row-5': m.term_impasse_double_row_5,
  'impasse-double-row-7': m.term_impasse_double_row_7,
  'palisade-owned': m.term_palisade_owned,
  'palisade-stones': m.term_palisade_stones,
  'palisade-links': m.term_palisade_links,
  'palisade-last-of-four': m.term_palisade_last_of_four,
  'palisade-captures': m.term_palisade_captures,
  'palisade-smothered': m.term_palisade_smothered,
  'palisade-breaths': m.term_palisade_breaths,
  'columna-ones': m.term_columna_ones,
  'columna-twos': m.term_columna_twos,
  'columna-threes': m.term_columna_threes,
  'columna-fours': m.term_columna_fours,
  'columna-one-to-take': m.term_columna_one_to_take,
  'columna-two-to-take': m.term_columna_two_to_take,
  'columna-three-to-take': m.term_columna_three_to_take,
  'columna-four-to-make': m.term_columna_four_to_make,
  'columna-sight': m.term_columna_sight,
  'columna-links': m.term_columna_links,
  'columna-bridge': m.term_columna_bridge,
  'columna-deadly': m.term_columna_deadly,
  'columna-middle': m.term_columna_middle,
  'columna-three-to-take-now': m.term_columna_three_to_take_now,
  'columna-four-to-make-now': m.term_columna_four_to_make_now,
  'columna-safe-spaces': m.term_columna_safe_spaces,
  'columna-safe-ones': m.term_columna_safe_ones,
  'columna-safe-twos': m.term_columna_safe_twos,
  'columna-safe-threes': m.term_columna_safe_threes,
  'columna-ground': m.term_columna_ground,
  'columna-stack-moves': m.term_columna_stack_moves,
  'columna-stuck': m.term_columna_stuck,
  'colossus-stones': m.term_colossus_stones,
  'colossus-towers': m.term_colossus_towers,
  'colossus-exposed': m.term_colossus_exposed,
  'colossus-room': m.term_colossus_room,
  'colossus-siege': m.term_colossus_siege,
  'colossus-siege-close': m.term_colossus_siege_close,
  'colossus-late-stones': m.term_colossus_late_stones,
  'colossus-near-empty-towers': m.term_colossus_near_empty_towers,
};

/** Those that are there or not, and of which nobody has more or fewer. */
const SINGLE = new Set([
  'impasse-stuck',
  'impasse-waiting',
  'columna-bridge',
  'columna-three-to-take-now',
  'columna-four-to-make-now',
  'colossus-siege-close',
]);

/** Nothing if there are no words for it in this version of the page. */
export function findingWords(game: GameId, side: Side, finding: Finding): string | undefined {
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
      const what = differenceWords(game, finding, mover, other);
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
  game: GameId,
  { term: name, own, good, now, instead }: Extract<Finding, { kind: 'difference' }>,
  mover: string,
  other: string,
): string | undefined {
  const term = TERMS[`${game}-${name}`]?.();
  if (term === undefined) return undefined;
  const isSingle = SINGLE.has(`${game}-${name}`);
  const what = own
    ? good
      ? m.finding_own_good({ term })
      : isSingle
        ? m.finding_own_bad_one({ term, mover })
        : m.finding_own_bad({ term, mover })
    : good
      ? isSingle
        ? m.finding_other_good_one({ term, other })
        : m.finding_other_good({ term, other })
      : m.finding_other_bad({ term, other });
  return isSingle ? what : m.finding_numbers({ what, now, instead });
}
