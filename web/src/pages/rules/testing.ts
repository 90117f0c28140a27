/** The rules themselves, in Node, and what their sheets contain; for tests only. */
import { readFileSync } from 'node:fs';
import type { GameId, RulesQuestions } from '$lib/rules/protocol';
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

/**
 * The clauses, rulings and named figures of each rule sheet. The rules know a clause only when it
 * forbids something, so the numbers are written down here, as for the terminal's rules.
 */
export const SHEET_CONTENTS: Record<
  GameId,
  { clauses: string[]; rulings: string[]; figures: string[] }
> = {
  colonnade: { clauses: clauses(6), rulings: [], figures: ['figure 2', 'figure 4'] },
  impasse: { clauses: clauses(6), rulings: rulings(4), figures: ['figure 3', 'figure 6'] },
  palisade: { clauses: clauses(7), rulings: [], figures: ['figure 3', 'figure 4'] },
  columna: { clauses: clauses(10), rulings: rulings(4), figures: [] },
  colossus: { clauses: clauses(7), rulings: rulings(9), figures: [] },
};
