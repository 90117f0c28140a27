/** The rules themselves, in Node, and what their sheets contain; for tests only. */
import { readFileSync } from 'node:fs';
import type { RulesQuestions } from '$lib/rules/protocol';
import type { Sheet } from './sheet';
import { askRules, initSync } from '../../wasm/stoa_wasm.js';

initSync({ module: readFileSync(new URL('../../wasm/stoa_wasm_bg.wasm', import.meta.url)) });

/** Asks the rules without a worker; a refusal is thrown. */
export function ask<Q extends keyof RulesQuestions>(
  ask: Q,
  question: RulesQuestions[Q]['question'],
): RulesQuestions[Q]['answer'] {
  const answer = JSON.parse(askRules(JSON.stringify({ ask, ...question }))) as {
    ok?: RulesQuestions[Q]['answer'];
  };
  if (answer.ok === undefined) throw new Error(JSON.stringify({ question, answer }));
  return answer.ok;
}

const clauses = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));
const rulings = (count: number) => clauses(count).map((number) => `R${number}`);

/** The clauses, rulings and named figures of a rule sheet. */
export function contentsOf({ contents }: Sheet) {
  const { figures } = contents;
  return { clauses: clauses(contents.clauses), rulings: rulings(contents.rulings), figures };
}
