/**
 * What the rules object to, in the language of the page. The rules give a kind and facts; every
 * game's folder has the words, and a test compares the kinds with those that the rules know.
 */
import { m } from '$messages';
import { GAMES, plainId } from '$games/index';
import { sideName } from '$lib/i18n/words';
import { type Objection } from './protocol';

/** What is wrong, as a clause of a sentence. What this page has no words for is said in English. */
export function objectionReason({ kind, facts, reason }: Objection): string {
  const game = plainId(kind.split('-')[0] ?? '');
  const message = game && GAMES[game].objections[kind];
  if (game === undefined || message === undefined) return reason;
  const say = message as (facts: Record<string, string>) => string;
  const { side } = facts;
  const isPlayer = side === 'first' || side === 'second';
  return say(isPlayer ? { ...facts, side: sideName(game)(side) } : facts);
}

/** The rule, as people read it beside a board of its game: "clause 4". */
export function ruleWords({ rule }: Objection): string {
  const number = /\d+$/.exec(rule)?.[0] ?? '';
  return / R\d+$/.test(rule) ? m.rule_ruling({ number }) : m.rule_clause({ number });
}

/** What is wrong, with the rule. */
export const objectionWords = (objection: Objection): string =>
  m.objection_with_rule({ reason: objectionReason(objection), rule: ruleWords(objection) });
