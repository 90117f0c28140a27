/** Why something could not be done, in the language of the page. */
import { m } from '$messages';
import { Refused, WorkerDied } from '$lib/worker/client';
import { NoModule } from '$lib/worker/module';
import { objectionWords } from './objections';
import type { Failure } from './protocol';

/** The whole story; for text that cannot be read, the place is shown on lines of its own. */
export function failureWords(error: unknown): string {
  if (error instanceof Refused) return refusedWords(error.failure);
  if (error instanceof NoModule) return error.isTooOld ? m.failed_browser() : m.failed_module();
  if (error instanceof WorkerDied) return m.failed_worker();
  return error instanceof Error ? error.message : String(error);
}

/** The same as a list where there are several reasons. */
export function failureReasons(error: unknown): string[] {
  const isList = error instanceof Refused && error.failure.kind === 'impossible';
  const reasons = isList ? (error.failure.objections ?? []).map(objectionWords) : [];
  return reasons.length > 0 ? reasons : [failureWords(error)];
}

function refusedWords(failure: Failure): string {
  const { facts = {} } = failure;
  const { line, excerpt, caret } = facts;
  const said = sentence(failure);
  const what = line === undefined ? said : m.failure_line({ line, what: said });
  return excerpt === undefined ? what : `${what}\n  ${excerpt}\n  ${caret ?? ''}`;
}

function sentence({ kind, message, facts = {}, objections = [] }: Failure): string {
  const fact = (name: string) => facts[name] ?? '';
  switch (kind) {
    case 'question':
      return m.failure_question();
    case 'unknown-game':
      return m.failure_unknown_game();
    case 'unreadable':
      return m.failure_unreadable({ expected: fact('expected') });
    case 'impossible':
      return [m.failure_impossible(), ...objections.map(objectionWords)].join('\n  ');
    case 'other-size':
      return m.failure_other_size({ wanted: fact('wanted'), found: fact('found') });
    case 'illegal': {
      const reason = objections.map(objectionWords).join(', ');
      return m.failure_illegal({ move: fact('move'), example: fact('example'), reason });
    }
    case 'game-over':
      return m.failure_game_over({ move: fact('move') });
    case 'other-result':
      return m.failure_other_result({ said: fact('said'), found: fact('found') });
    case 'no-such-end':
      return m.failure_no_such_end();
    case 'unknown-level':
      return m.failure_unknown_level();
    case 'engine':
      return m.failure_engine();
    case 'bug':
      return message;
  }
}
