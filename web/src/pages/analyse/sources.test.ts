import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AskRules } from '$lib/rules';
import type { Failure } from '$lib/rules/protocol';
import { Refused } from '$lib/worker/client';
import { askRules, initSync } from '../../wasm/stoa_wasm.js';
import { fromDraft, fromSavedGame, fromText } from './sources';

initSync({ module: readFileSync(new URL('../../wasm/stoa_wasm_bg.wasm', import.meta.url)) });

/** The rules themselves, without a worker. */
const rules = (async (ask: string, question: object) => {
  const answer = JSON.parse(askRules(JSON.stringify({ ask, ...question }))) as
    { ok: unknown } | { error: Failure };
  if ('error' in answer) throw new Refused(answer.error);
  return answer.ok;
}) as AskRules;

describe('any text', () => {
  it.each([
    ['-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r', 'colonnade'],
    ['1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w', 'impasse'],
    ['7/7/7/7/7/7/7 b\n', 'palisade:7'],
    ['x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0', 'columna'],
    ['t2W/5/6/t5t/6/5/B2t b 3 0 6', 'colossus'],
  ])('%s is a position of %s, whatever game was chosen', async (text, game) => {
    for (const chosen of ['colonnade', 'impasse']) {
      expect((await fromText(rules, text, chosen)).game).toBe(game);
    }
  });

  it('keeps the options that were chosen', async () => {
    const text = 'x7/x7/x7/x7/x7/x7/x7 a4 i5 b 0';
    expect((await fromText(rules, text, 'columna:points')).game).toBe('columna:points');
  });

  it('is a record', async () => {
    const text =
      'game: colonnade\nred: Ada\nresult: red wins (resigned)\n\n{A} 1. 1b<! (1. 2c<) 1g>\n';
    const source = await fromText(rules, text, 'impasse');
    expect(source).toMatchObject({ game: 'colonnade', comment: 'A', tags: [['red', 'Ada']] });
    expect(source.end).toEqual({
      end: { winner: 'first', reason: 'resigned' },
      moves: ['1b<', '1g>'],
    });
    expect(source.nodes[0]).toMatchObject({ move: '1b<', glyph: '!' });
    const { end, ...rest } = source;
    expect(await fromDraft(rules, { ...rest, ...(end ? { end: end.end } : {}) })).toEqual(source);
  });

  it('is bare moves of the chosen game', async () => {
    const source = await fromText(rules, '1. 1b< 1g>', 'colonnade');
    expect(source.nodes.map(({ move }) => move)).toEqual(['1b<', '1g>']);
  });

  it('fails with what is wrong with the likeliest', async () => {
    const impossible = fromText(rules, '-/-/-/-/-/-/-/rr r', 'impasse');
    await expect(impossible).rejects.toMatchObject({ failure: { kind: 'impossible' } });
    await expect(fromText(rules, '1. 1b< 9z<', 'colonnade')).rejects.toThrow(Refused);
    await expect(fromText(rules, '8/8/8 w', 'impasse')).rejects.toThrow(/rank|'\/'/);
    await expect(fromText(rules, 'hello', 'colonnade')).rejects.toThrow(Refused);
  });
});

it('a kept game comes with its end', async () => {
  const source = await fromSavedGame(rules, {
    version: 1,
    id: 'x',
    name: 'x',
    game: 'colonnade',
    moves: ['1b<'],
    players: [{ kind: 'person' }, { kind: 'person' }],
    seed: 1,
    created: 1,
    updated: 1,
    outcome: { winner: 'second', reason: 'resigned' },
  });
  expect(source.end?.end).toEqual({ winner: 'second', reason: 'resigned' });
});
