/** The rules, in a worker of their own that answers within milliseconds. */
import { Once } from '$lib/once';
import type { Client } from '$lib/worker/client';
import { spawnClient } from '$lib/worker/spawn';
import type { RulesQuestions } from './protocol';

/** No question about the rules takes longer, unless the worker is stuck. */
const RULES_TIMEOUT_MS = 10_000;

export type AskRules = <Q extends keyof RulesQuestions>(
  ask: Q,
  question: RulesQuestions[Q]['question'],
) => Promise<RulesQuestions[Q]['answer']>;

let client: Client | undefined;

/** Starts the worker of the rules, which every page will ask something. */
export function wakeRules(): void {
  client ??= spawnClient('rules');
  client.wake();
}

/** Asks the rules: `await rules('state', { game: 'impasse' })`. */
export const rules: AskRules = async (ask, question) => {
  client ??= spawnClient('rules');
  const answer = await client.ask({ ask, ...question }, { timeout: RULES_TIMEOUT_MS });
  return answer as RulesQuestions[typeof ask]['answer'];
};

const games = new Once<void, RulesQuestions['games']['answer']>(() => rules('games', {}));

/** The games and levels there are; asked once. */
export function knownGames(): Promise<RulesQuestions['games']['answer']> {
  return games.get();
}
