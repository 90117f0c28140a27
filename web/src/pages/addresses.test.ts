import { describe, expect, it } from 'vitest';
import { GAME_IDS } from '$games/index';
import { escaped, pages } from './addresses';

describe('addresses in words', () => {
  it('tell what is there', () => {
    for (const [path, { title, description }] of Object.entries(pages)) {
      expect(title, path).toMatch(/Stoa$/);
      expect(description.length, path).toBeGreaterThan(15);
    }
    expect(pages['impasse/rules']?.title).toBe('Impasse – Rules – Stoa');
  });

  it('have the rules and the lesson of every game', () => {
    for (const game of GAME_IDS) {
      expect(pages[`${game}/rules`]?.text).toMatch(/<h1>[^<]+<\/h1>.*<h2 .*<figure>.*<dl>/);
      expect(pages[`${game}/learn`]?.text.match(/<h2>/g)?.length).toBeGreaterThan(8);
    }
  });

  it('lead to one another', () => {
    for (const [path, { text }] of Object.entries(pages)) {
      for (const [, link = ''] of text.matchAll(/ href="([^"]*)"/g)) {
        expect(Object.keys(pages), `${link} in ${path}`).toContain(link);
      }
    }
  });

  it('are safe as HTML', () => {
    expect(escaped('<b title="x">&')).toBe('&lt;b title=&quot;x&quot;&gt;&amp;');
    for (const [path, { text }] of Object.entries(pages)) {
      const tags = text.replace(
        /<\/?(main|h1|h2|p|a|dl|dt|dd|ul|li|code|figure|figcaption|img)\b[^<>]*>/g,
        '',
      );
      expect(tags, path).not.toMatch(/[<>]/);
    }
  });
});
