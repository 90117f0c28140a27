/** What the rules of Impasse object to, by kind; each message takes the facts of its kind. */
import { m } from '$messages';
import type { Objections } from '../game';

export const objections: Objections = {
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
};
