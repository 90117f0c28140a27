/** What the rules of Palisade object to, by kind; each message takes the facts of its kind. */
import { m } from '$messages';
import type { Objections } from '../game';

export const objections: Objections = {
  'palisade-move-off-the-board': m.objection_palisade_move_off_the_board,
  'palisade-move-occupied': m.objection_palisade_move_occupied,
  'palisade-move-wrong-colour': m.objection_palisade_move_wrong_colour,
  'palisade-move-within-loop': m.objection_palisade_move_within_loop,
  'palisade-setup-wrong-colour': m.objection_palisade_setup_wrong_colour,
  'palisade-setup-off-the-board': m.objection_palisade_setup_off_the_board,
};
