/** Why the last click was refused, in words; empty if it was not. */
import { m } from '$messages';
import { objectionReason, ruleWords } from '$lib/rules/objections';
import type { Board } from './board.svelte';
import { request } from './speech';

export function refusalWords(board: Board): string {
  if (board.refused === null) return '';
  const objection = board.refused.why?.objection;
  return objection
    ? m.refused_because({ reason: objectionReason(objection), rule: ruleWords(objection) })
    : m.refused({ request: request(board) });
}
