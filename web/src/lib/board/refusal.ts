/** Why the last click was refused, in words; empty if it was not. */
import { m } from '$messages';
import type { Board } from './board.svelte';
import { request } from './speech';

export function refusalWords(board: Board): string {
  if (board.refused === null) return '';
  const { why } = board.refused;
  return why
    ? m.refused_because({ reason: why.reason, rule: ruleWords(why.rule) })
    : m.refused({ request: request(board.choices.roles) });
}

/** `impasse clause 4` as people read it beside a board of Impasse. */
const ruleWords = (rule: string) => rule.replace(/^\w+ /, '');
