/**
 * What the rules object to, in the language of the page. The rules give a kind and facts; the words
 * are messages, and a test compares the kinds with those that the rules know.
 */
import { m } from '$messages';
import { sideName } from '$lib/i18n/words';
import { type Objection, plainId } from './protocol';

/** A message; it takes the facts of its kind. */
type Message = (facts: never) => string;

/** By kind. */
export const OBJECTIONS: Record<string, Message> = {
  'colonnade-move-too-few-checkers': m.objection_colonnade_move_too_few_checkers,
  'colonnade-move-not-own-checker': m.objection_colonnade_move_not_own_checker,
  'colonnade-move-off-the-row': m.objection_colonnade_move_off_the_row,
  'colonnade-move-target-not-own': m.objection_colonnade_move_target_not_own,
  'colonnade-move-bottom-to-empty': m.objection_colonnade_move_bottom_to_empty,
  'colonnade-setup-same-colours': m.objection_colonnade_setup_same_colours,
  'colonnade-setup-too-many-checkers': m.objection_colonnade_setup_too_many_checkers,
  'impasse-move-not-yours': m.objection_impasse_move_not_yours,
  'impasse-move-no-single-slide': m.objection_impasse_move_no_single_slide,
  'impasse-move-no-double-slide': m.objection_impasse_move_no_double_slide,
  'impasse-move-no-transpose': m.objection_impasse_move_no_transpose,
  'impasse-move-not-at-an-impasse': m.objection_impasse_move_not_at_an_impasse,
  'impasse-move-nothing-to-bear-off': m.objection_impasse_move_nothing_to_bear_off,
  'impasse-move-bear-off-due': m.objection_impasse_move_bear_off_due,
  'impasse-move-crown-due': m.objection_impasse_move_crown_due,
  'impasse-move-no-crown-due': m.objection_impasse_move_no_crown_due,
  'impasse-move-no-single-to-lift': m.objection_impasse_move_no_single_to_lift,
  'impasse-move-no-single-to-crown': m.objection_impasse_move_no_single_to_crown,
  'impasse-setup-light-square': m.objection_impasse_setup_light_square,
  'impasse-setup-no-checkers': m.objection_impasse_setup_no_checkers,
  'impasse-setup-too-many-checkers': m.objection_impasse_setup_too_many_checkers,
  'palisade-move-off-the-board': m.objection_palisade_move_off_the_board,
  'palisade-move-occupied': m.objection_palisade_move_occupied,
  'palisade-move-wrong-colour': m.objection_palisade_move_wrong_colour,
  'palisade-move-within-loop': m.objection_palisade_move_within_loop,
  'palisade-setup-wrong-colour': m.objection_palisade_setup_wrong_colour,
  'palisade-setup-off-the-board': m.objection_palisade_setup_off_the_board,
  'columna-move-may-not-pass': m.objection_columna_move_may_not_pass,
  'columna-move-pawn-stays': m.objection_columna_move_pawn_stays,
  'columna-move-no-such-point': m.objection_columna_move_no_such_point,
  'columna-move-point-taken': m.objection_columna_move_point_taken,
  'columna-move-other-pawns-side': m.objection_columna_move_other_pawns_side,
  'columna-move-off-the-track': m.objection_columna_move_off_the_track,
  'columna-move-not-straight': m.objection_columna_move_not_straight,
  'columna-move-sees-nothing': m.objection_columna_move_sees_nothing,
  'columna-move-not-in-sight': m.objection_columna_move_not_in_sight,
  'columna-move-stack-full': m.objection_columna_move_stack_full,
  'columna-move-space-hidden': m.objection_columna_move_space_hidden,
  'columna-move-stack-hidden': m.objection_columna_move_stack_hidden,
  'columna-move-not-yours': m.objection_columna_move_not_yours,
  'columna-move-four-never-moves': m.objection_columna_move_four_never_moves,
  'columna-move-wrong-distance': m.objection_columna_move_wrong_distance,
  'columna-move-in-the-way': m.objection_columna_move_in_the_way,
  'columna-setup-wrong-height': m.objection_columna_setup_wrong_height,
  'columna-setup-off-the-ring': m.objection_columna_setup_off_the_ring,
  'columna-setup-off-the-track': m.objection_columna_setup_off_the_track,
  'columna-setup-same-point': m.objection_columna_setup_same_point,
  'columna-setup-same-side': m.objection_columna_setup_same_side,
  'columna-setup-stall-too-long': m.objection_columna_setup_stall_too_long,
  'colossus-move-not-empty': m.objection_colossus_move_not_empty,
  'colossus-move-tower-there': m.objection_colossus_move_tower_there,
  'colossus-move-not-next-to-own': m.objection_colossus_move_not_next_to_own,
  'colossus-move-not-yours': m.objection_colossus_move_not_yours,
  'colossus-move-not-two-away': m.objection_colossus_move_not_two_away,
  'colossus-move-not-desperate': m.objection_colossus_move_not_desperate,
  'colossus-move-claimed-tower': m.objection_colossus_move_claimed_tower,
  'colossus-move-no-empty-tower': m.objection_colossus_move_no_empty_tower,
  'colossus-move-no-tower-of-yours': m.objection_colossus_move_no_tower_of_yours,
  'colossus-move-broken-line': m.objection_colossus_move_broken_line,
  'colossus-move-no-supply': m.objection_colossus_move_no_supply,
  'colossus-move-not-a-link': m.objection_colossus_move_not_a_link,
  'colossus-move-next-to-tower': m.objection_colossus_move_next_to_tower,
  'colossus-setup-too-many-towers': m.objection_colossus_setup_too_many_towers,
  'colossus-setup-stall-too-high': m.objection_colossus_setup_stall_too_high,
  'colossus-setup-peak-too-low': m.objection_colossus_setup_peak_too_low,
  'colossus-setup-peak-too-high': m.objection_colossus_setup_peak_too_high,
};

/** What is wrong, as a clause of a sentence. What this page has no words for is said in English. */
export function objectionReason({ kind, facts, reason }: Objection): string {
  const say = OBJECTIONS[kind] as ((facts: Record<string, string>) => string) | undefined;
  if (say === undefined) return reason;
  const game = plainId(kind.split('-')[0] ?? '');
  const { side } = facts;
  const isPlayer = side === 'first' || side === 'second';
  return say(game && isPlayer ? { ...facts, side: sideName(game)(side) } : facts);
}

/** The rule, as people read it beside a board of its game: "clause 4". */
export function ruleWords({ rule }: Objection): string {
  const number = /\d+$/.exec(rule)?.[0] ?? '';
  return / R\d+$/.test(rule) ? m.rule_ruling({ number }) : m.rule_clause({ number });
}

/** What is wrong, with the rule. */
export const objectionWords = (objection: Objection): string =>
  m.objection_with_rule({ reason: objectionReason(objection), rule: ruleWords(objection) });
