/** Cells and moves in words, for those who listen. */
import { m } from '$messages';
import { type GameId, GAMES, plainId } from '$games/index';
import { roleWords, sideName } from '$lib/i18n/words';
import { byPiece, type Piece } from '$lib/rules/protocol';
import type { Board } from './board.svelte';
import type { Target } from './look';

/** A piece; of a stack whose pieces can be clicked, the one at a level, or (0) its top. */
export const pieceWords = (game: GameId, piece: Piece, level?: number): string =>
  byPiece(GAMES[game].pieces, piece, sideName(game), level);

/** A cell as it is read out: its name, what stands there, whose it is, what may be done. */
export function targetWords(
  game: GameId,
  { spot, step }: Target,
  marks: { legal: boolean; selected: boolean; advised: boolean; last: boolean },
): string {
  const { piece, owner } = spot;
  const there = piece === undefined ? m.cell_empty() : pieceWords(game, piece, step.level);
  const words: string[] = [spot.name, there];
  if (owner) words.push(m.cell_owned({ side: sideName(game)(owner) }));
  if (marks.selected) words.push(m.cell_selected());
  if (marks.legal) words.push(m.cell_possible());
  if (marks.advised) words.push(m.cell_advised());
  if (marks.last) words.push(m.cell_last_move());
  return words.join(', ');
}

/** What to do next, given what a click may be for. */
export function request({ state, choices }: Pick<Board, 'state' | 'choices'>): string {
  const game = state && plainId(state.game);
  // Nothing is left to choose: the move waits to be finished or confirmed.
  if (choices.roles.length === 0) return m.finish_move();
  const what = choices.roles.map((role) => roleWords(game, role)).join(m.choose_or());
  return m.choose({ what });
}
