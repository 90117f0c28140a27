/** Cells and moves in words, for those who listen. */
import { m } from '$messages';
import type { Piece, Role, Side, Spot, Step } from '$lib/rules/protocol';
import type { Target } from './look';

export interface Speaker {
  /** The name of a player, such as "Red". */
  sideName: (side: Side) => string;
}

export function pieceWords(piece: Piece | undefined, { sideName }: Speaker): string {
  if (piece === undefined) return m.cell_empty();
  if ('checkers' in piece) {
    return m.cell_checkers({ checkers: piece.checkers.map(sideName).join(', ') });
  }
  if ('single' in piece) return m.cell_single({ side: sideName(piece.single) });
  if ('double' in piece) return m.cell_double({ side: sideName(piece.double) });
  if ('stone' in piece) return m.cell_stone({ side: sideName(piece.stone) });
  if ('pawn' in piece) return m.cell_pawn({ side: sideName(piece.pawn) });
  if ('tower' in piece) {
    return piece.tower === null
      ? m.cell_tower_empty()
      : m.cell_tower({ side: sideName(piece.tower) });
  }
  return m.cell_stack({ side: sideName(piece.stack.owner), height: piece.stack.height });
}

/** A cell as it is read out: its name, what stands there, whose it is, what may be done. */
export function targetWords(
  target: Target,
  speaker: Speaker,
  marks: { legal: boolean; selected: boolean; advised: boolean; last: boolean },
): string {
  const words: string[] = [target.spot.name, whatIsThere(target.spot, target.step, speaker)];
  if (target.spot.owner) words.push(m.cell_owned({ side: speaker.sideName(target.spot.owner) }));
  if (marks.selected) words.push(m.cell_selected());
  if (marks.legal) words.push(m.cell_possible());
  if (marks.advised) words.push(m.cell_advised());
  if (marks.last) words.push(m.cell_last_move());
  return words.join(', ');
}

function whatIsThere(spot: Spot, step: Step, speaker: Speaker): string {
  const { piece } = spot;
  if (piece === undefined || !('checkers' in piece)) return pieceWords(piece, speaker);
  const side = piece.checkers[step.level - 1];
  if (side === undefined) return m.cell_column({ height: piece.checkers.length });
  return m.cell_checker({
    level: step.level,
    height: piece.checkers.length,
    side: speaker.sideName(side),
  });
}

const ROLES: Record<Role, () => string> = {
  piece: m.role_piece,
  target: m.role_target,
  place: m.role_place,
  remove: m.role_remove,
  'crown-with': m.role_crown_with,
  crowned: m.role_crowned,
  pawn: m.role_pawn,
  drop: m.role_drop,
  stack: m.role_stack,
  pass: m.role_pass,
  tower: m.role_tower,
  'line-end': m.role_line_end,
  'new-tower': m.role_new_tower,
};

/** What to do next, given what a click may be for. */
export function request(roles: readonly Role[]): string {
  return m.choose({ what: roles.map((role) => ROLES[role]()).join(m.choose_or()) });
}
