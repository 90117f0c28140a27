import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { GAME_IDS, type GameId, GAMES } from '$games/index';
import { chooseLocale } from '$lib/i18n/locale.svelte';
import { failureReasons, failureWords } from './failures';
import { objectionWords } from './objections';
import type { Failure, Objection } from './protocol';
import { Refused } from '$lib/worker/client';

const keysOf = (game: GameId, prefix: string): string[] => {
  const path = new URL(`../../games/${game}/messages/en.json`, import.meta.url).pathname;
  const keys = Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object);
  return keys.filter((key) => key.startsWith(prefix)).sort();
};
const asKeys = (table: object, prefix: string): string[] =>
  Object.keys(table)
    .map((kind) => prefix + kind.replaceAll('-', '_'))
    .sort();

const loop: Objection = {
  kind: 'palisade-move-within-loop',
  facts: { point: 'c3', side: 'second' },
  reason: 'c3 lies within a loop of White’s',
  rule: 'palisade clause 5',
};
const full: Objection = {
  kind: 'colossus-setup-stall-too-high',
  facts: { count: '41', most: '40' },
  reason: 'the stall count is 41, but the game ends at 40',
  rule: 'colossus R8',
};
const refused = (failure: Omit<Failure, 'message'>) => new Refused({ message: '', ...failure });

describe('objections', () => {
  beforeEach(() => chooseLocale('en'));

  it.each(GAME_IDS)(
    'of %s have a message each, and so have the terms of the engine',
    async (id) => {
      expect(asKeys(GAMES[id].objections, 'objection_')).toEqual(keysOf(id, 'objection_'));
      const { terms } = await GAMES[id].loadTerms();
      expect(asKeys(terms, `term_${id}_`)).toEqual(keysOf(id, 'term_'));
    },
  );

  it('are said in the language of the page, players included', () => {
    expect(objectionWords(loop)).toBe('c3 lies within a loop of White’s (clause 5)');
    expect(objectionWords(full)).toBe('the stall count is 41, but the game ends at 40 (ruling 8)');
    chooseLocale('es');
    expect(objectionWords(loop)).toBe('c3 está dentro de un cerco de Blancas (cláusula 5)');
    expect(objectionWords(full)).toContain('(decisión 8)');
  });

  it('depend on their numbers', () => {
    const height = (count: string): Objection => ({
      kind: 'colonnade-move-too-few-checkers',
      facts: { from: 'b', height: count },
      reason: '',
      rule: 'colonnade clause 2',
    });
    expect(objectionWords(height('0'))).toContain('b is empty');
    expect(objectionWords(height('1'))).toContain('only one checker');
    expect(objectionWords(height('3'))).toContain('only 3 checkers');
  });

  it('that are unknown here are said in English', () => {
    chooseLocale('es');
    expect(objectionWords({ ...loop, kind: 'go-move-ko' })).toContain(loop.reason);
  });
});

describe('failures', () => {
  beforeEach(() => chooseLocale('es'));

  it('show the place of what cannot be read', () => {
    const facts = { line: '3', expected: 'a move', excerpt: '1b< 1x>', caret: '     ^' };
    const words = failureWords(refused({ kind: 'unreadable', facts }));
    expect(words).toMatch(/^Línea 3: .*a move\n {2}1b< 1x>\n {7}\^$/);
  });

  it('list every reason why a position cannot be', () => {
    const error = refused({ kind: 'impossible', objections: [loop, full] });
    expect(failureReasons(error)).toEqual([loop, full].map(objectionWords));
    expect(failureReasons(new Error('no'))).toEqual(['no']);
  });

  it('say why a move is not legal, and which one would be', () => {
    const facts = { move: 'c3', example: 'c4' };
    const words = failureWords(refused({ kind: 'illegal', facts, objections: [loop] }));
    expect(words).toBe(`c3 no es legal: ${objectionWords(loop)}. Legal sería, por ejemplo, c4`);
  });
});
