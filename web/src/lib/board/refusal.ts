/** Why the last click was refused, in words; empty if it was not. */
import { m } from '$messages';
import { plainId } from '$games/index';
import { objectionReason, ruleWords } from '$lib/rules/objections';
import type { Board } from './board.svelte';
import { pieceWords, request } from './speech';

export function refusalWords(board: Board): string {
  if (board.refused === null) return '';
  const objection = board.refused.why?.objection;
  return objection
    ? m.refused_because({ reason: objectionReason(objection), rule: ruleWords(objection) })
    : m.refused({ why: reasonWords(board, board.refused), request: request(board) });
}

/** Where the rules name no clause, what was clicked says what is wrong with it. */
function reasonWords(board: Board, { step, after }: NonNullable<Board['refused']>): string {
  const game = board.state && plainId(board.state.game);
  const target = board.targetAt(step);
  const cell = target?.spot.name ?? '';
  const piece = target?.spot.piece;
  const from = after.at(-1);
  if (from !== undefined) {
    const name = board.targetAt(from)?.spot.name ?? '';
    return m.refused_from({ from: name, cell });
  }
  if (game === undefined || piece === undefined) return m.refused_empty({ cell });
  const words = pieceWords(game, piece, step.level);
  const side = board.tokens.find((token) => token.cell === step.cell)?.side;
  return side !== null && side !== undefined && side !== board.side
    ? m.refused_theirs({ cell, piece: words })
    : m.refused_stuck({ cell, piece: words });
}
