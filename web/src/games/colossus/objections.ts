/** What the rules of Colossus object to, by kind; each message takes the facts of its kind. */
import { m } from '$messages';
import type { Objections } from '../game';

export const objections: Objections = {
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
