/** The modules of the browser, with and without vector instructions, say what the engine says natively. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Glue from '../../wasm/stoa_wasm.js';
import { ALONE, netOf } from '../../../tools/module';

interface Line {
  moves: string[];
  score: { points: number; win_probability?: number };
}

interface Judgement {
  question: { game: string; limits: { nodes: number } };
  lines: Line[];
}

const at = (path: string) => new URL(`../../../../crates/${path}`, import.meta.url);
const judgements = JSON.parse(
  readFileSync(at('wasm/tests/judgements.json'), 'utf8'),
) as Judgement[];

describe.each(['stoa_wasm_bg', 'stoa_wasm_plain_bg'])('%s', (name) => {
  let glue: typeof Glue;
  beforeAll(async () => {
    Object.assign(globalThis, ALONE);
    vi.resetModules();
    glue = await import('../../wasm/stoa_wasm.js');
    const module = readFileSync(new URL(`../../wasm/${name}.wasm`, import.meta.url));
    glue.initSync({ module });
  });

  it.each(judgements)(
    '$question.game, $question.limits.nodes nodes, $question.position',
    ({ question, lines }) => {
      glue.askEngine('{"ask":"forget"}', undefined, () => undefined);
      const ask = JSON.stringify(question);
      const answer = glue.askEngine(ask, netOf(question.game), () => undefined);
      const found = (JSON.parse(answer) as { ok: { lines: Line[] } }).ok.lines;
      // It follows from the points; its last digit is each machine's own.
      for (const { score } of found) delete score.win_probability;
      expect(found).toEqual(lines);
    },
  );
});
