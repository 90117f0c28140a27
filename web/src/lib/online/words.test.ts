import { beforeAll, describe, expect, it } from 'vitest';
import { chooseLocale } from '$lib/i18n/locale.svelte';
import { NoServer, ServerRefused, Unreachable } from './http';
import { clockFace, controlWords, errorWords, playerName, spanWords, variantName } from './words';

beforeAll(() => chooseLocale('en'));
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('a clock', () => {
  it.each([
    [0, '0:00.0'],
    [1, '0:00.1'],
    [9 * SECOND + 420, '0:09.5'],
    [9 * SECOND + 999, '0:09.9'],
    [10 * SECOND, '0:10'],
    [MINUTE - 1, '1:00'],
    [5 * MINUTE, '5:00'],
    [HOUR + 2 * MINUTE + 3 * SECOND, '1:02:03'],
    [2 * DAY + 3 * HOUR + 1, '2 d 3 h'],
    [-5, '0:00.0'],
  ])('shows %d as %s', (left, face) => expect(clockFace(left)).toBe(face));
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59 * SECOND + 1, '1 minute'],
    [3 * MINUTE + 20 * SECOND, '3 minutes, 20 seconds'],
    [HOUR, '1 hour'],
    [2 * DAY + 5 * HOUR + 7 * MINUTE, '2 days, 5 hours'],
  ])('says %d as %s', (left, words) => expect(spanWords(left)).toBe(words));
});

describe('words', () => {
  it('for controls', () => {
    expect(controlWords({ kind: 'clock', initial: 300, increment: 5 })).toBe('5 min + 5 s');
    expect(controlWords({ kind: 'clock', initial: 90, increment: 0 })).toBe('1.5 min');
    expect(controlWords({ kind: 'clock', initial: 15, increment: 1 })).toBe('15 seconds + 1 s');
    expect(controlWords({ kind: 'days', days: 1 })).toBe('1 day per move');
    expect(controlWords({ kind: 'unlimited' })).toBe('No time limit');
  });
  it('for games and players', () => {
    expect(variantName('palisade:7')).toBe('Palisade 7 × 7');
    expect(variantName('columna:points')).toBe('Columna, points');
    expect(variantName('columna:spaces')).toBe('Columna');
    expect(variantName('impasse')).toBe('Impasse');
    expect(variantName('tomorrow:1')).toBe('tomorrow:1');
    expect(playerName({ id: 'x', name: '', kind: 'guest' })).toBe('A former player');
  });
  it('for what went wrong, in our own where there are some', () => {
    expect(errorWords(new ServerRefused(409, 'gone', 'x'))).toMatch(/^Somebody was quicker/);
    expect(errorWords(new ServerRefused(400, 'new_code', 'no'))).toBe('The server says: no');
    expect(errorWords(new ServerRefused(429, 'too_many', 'x', 90))).toMatch(
      /Try again in 1 minute, 30 seconds/,
    );
    expect(errorWords(new Unreachable('x'))).toMatch(/cannot be reached/);
    expect(errorWords(new NoServer('x'))).toMatch(/plain files/);
    expect(errorWords(new TypeError('oh'))).toMatch(/oh/);
  });
});
