/** What the rules of Colonnade object to, by kind; each message takes the facts of its kind. */
import { m } from '$messages';
import type { Objections } from '../game';

export const objections: Objections = {
  'colonnade-move-too-few-checkers': m.objection_colonnade_move_too_few_checkers,
  'colonnade-move-not-own-checker': m.objection_colonnade_move_not_own_checker,
  'colonnade-move-off-the-row': m.objection_colonnade_move_off_the_row,
  'colonnade-move-target-not-own': m.objection_colonnade_move_target_not_own,
  'colonnade-move-bottom-to-empty': m.objection_colonnade_move_bottom_to_empty,
  'colonnade-setup-same-colours': m.objection_colonnade_setup_same_colours,
  'colonnade-setup-too-many-checkers': m.objection_colonnade_setup_too_many_checkers,
};
