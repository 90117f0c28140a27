import { describe, expect, it } from 'vitest';
import { hashAddress, href, parsePath, parseRoute, pathAddress } from './router.svelte';

describe('addresses', () => {
  it('go both ways', () => {
    const address = href('analyse', ['palisade:7', 'a/b?c'], { moves: 'a1 b2', at: '3' });
    const { page, parts, query } = parseRoute(address);
    expect([page, ...parts]).toEqual(['analyse', 'palisade:7', 'a/b?c']);
    expect(Object.fromEntries(query)).toEqual({ moves: 'a1 b2', at: '3' });
  });
  it('lead home if there is nothing in them', () => {
    for (const hash of ['', '#', '#/']) expect(parseRoute(hash).page).toBe('');
    expect(href('')).toBe('#/');
  });
  it('may be broken', () => expect(parseRoute('#/play/%E0%A4%A').parts).toEqual(['%E0%A4%A']));
});

describe('real addresses', () => {
  const real = (hash: string) => pathAddress('/some/where/', parseRoute(hash));
  it.each([
    ['#/', '/some/where/'],
    ['#/rules/impasse', '/some/where/impasse/rules'],
    ['#/play/palisade%3A7', '/some/where/palisade%3A7/play'],
    ['#/learn/impasse/crown', '/some/where/impasse/learn/crown'],
    ['#/game/abc', '/some/where/game/abc'],
    ['#/play/g/abc', '/some/where/play/g/abc'],
    ['#/puzzles/mixed?grade=2', '/some/where/puzzles/mixed?grade=2'],
    ['#/analyse/impasse?p=8%2F8', '/some/where/analyse/impasse?p=8%2F8'],
    ['#/review?g=zabc&own=first', '/some/where/review#g=zabc&own=first'],
  ])('%s is %s, and back', (hash, path) => {
    expect(real(hash)).toBe(path);
    const { pathname, search, hash: behind } = new URL(path, 'http://x');
    const route = parsePath(pathname.slice('/some/where/'.length), search, behind);
    expect(hashAddress(route)).toBe(hash);
  });
  it('of a game alone lead to a game of it', () => {
    expect(parsePath('impasse')).toMatchObject({ page: 'play', parts: ['impasse'] });
    expect(parsePath('no-such-page/x')).toMatchObject({ page: 'no-such-page', parts: ['x'] });
  });
});
