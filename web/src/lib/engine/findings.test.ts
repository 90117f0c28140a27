import { beforeEach, describe, expect, it } from 'vitest';
import { GAMES } from '$games/index';
import { chooseLocale } from '$lib/i18n/locale.svelte';
import { findingWords } from './findings';
import type { Finding } from './protocol';

const { terms } = await GAMES.columna.loadTerms();
const say = (finding: Finding) => findingWords('columna', terms, 'first', finding);
const difference = { kind: 'difference', now: 2, instead: 3, line: 'a4@b4' } as const;

describe('findings', () => {
  beforeEach(() => chooseLocale('en'));

  it('are sentences', () => {
    expect(say({ kind: 'missed-win', turns: 1, line: 'a4@b4' })).toBe(
      'It misses a win on the spot: a4@b4.',
    );
    expect(say({ kind: 'allowed-loss', turns: 3, line: 'a4@b4 …' })).toBe(
      'It allows a forced loss: White wins in 3 turns with a4@b4 …',
    );
    expect(say({ ...difference, term: 'fours', own: true, good: true })).toBe(
      'It gives up stacks of four: Black has 2 instead of 3 after a4@b4.',
    );
    expect(say({ ...difference, now: 3, instead: 2, term: 'fours', own: false, good: true })).toBe(
      'It allows White more stacks of four: 3 instead of 2 after a4@b4.',
    );
    expect(say({ ...difference, now: 3, instead: 2, term: 'fours', own: true, good: false })).toBe(
      'It leaves Black with more stacks of four: 3 instead of 2 after a4@b4.',
    );
    expect(say({ ...difference, term: 'fours', own: false, good: false })).toBe(
      'It leaves White with fewer stacks of four: 2 instead of 3 after a4@b4.',
    );
    expect(say({ ...difference, term: 'bridge', own: false, good: true, line: '' })).toBe(
      'It allows White a bridge across the board.',
    );
    expect(say({ ...difference, term: 'bridge', own: true, good: true, line: '' })).toBe(
      'It gives up a bridge across the board.',
    );
    expect(say({ kind: 'chances', now: 0.25, instead: 0.5, reply: null })).toBe(
      'Now Black wins 25% of such games instead of 50%.',
    );
  });

  it('are said in the language of the page', () => {
    chooseLocale('es');
    expect(say({ ...difference, term: 'fours', own: false, good: true })).toBe(
      'Permite a Blancas más pilas de cuatro: 2 en vez de 3 tras a4@b4.',
    );
  });

  it('without words are nothing', () => {
    expect(say({ ...difference, term: 'luck', own: true, good: true })).toBeUndefined();
  });
});
