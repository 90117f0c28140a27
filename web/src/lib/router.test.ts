import { describe, expect, it } from 'vitest';
import { href, parseRoute } from './router.svelte';

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
