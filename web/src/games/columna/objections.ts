/** What the rules of Columna object to, by kind; each message takes the facts of its kind. */
import { m } from '$messages';
import type { Objections } from '../game';

export const objections: Objections = {
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
};
