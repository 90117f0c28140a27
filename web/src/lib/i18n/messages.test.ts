import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { GAME_IDS } from '$games/index';

const folder = (name: string) => new URL(`../../../${name}`, import.meta.url).pathname;
const read = (path: string): unknown => JSON.parse(readFileSync(folder(path), 'utf8'));

type Message = string | { match: Record<string, string> }[];
interface Project {
  baseLocale: string;
  locales: string[];
  'plugin.inlang.messageFormat': { pathPattern: string[] };
}
const project = read('project.inlang/settings.json') as Project;
const patterns = project['plugin.inlang.messageFormat'].pathPattern;

function messages(locale: string): Map<string, Message> {
  const all = new Map<string, Message>();
  for (const pattern of patterns) {
    const path = pattern.replace('{locale}', locale);
    for (const [key, message] of Object.entries(read(path) as Record<string, Message>)) {
      if (key === '$schema') continue;
      expect(all.has(key), `${key} is in two files`).toBe(false);
      all.set(key, message);
    }
  }
  return all;
}

/** Every wording of a message; there are several where numbers matter. */
const wordings = (message: Message): string[] =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));
const placeholders = (message: Message): string[] => {
  const found = wordings(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []);
  return [...new Set(found)].sort();
};

const base = messages(project.baseLocale);

describe('messages', () => {
  it('are in files that the project names', () => {
    for (const locale of project.locales) {
      const shared = readdirSync(folder(`messages/${locale}`)).map(
        (name) => `messages/${locale}/${name}`,
      );
      const own = GAME_IDS.map((id) => `src/games/${id}/messages/${locale}.json`);
      const named = patterns.map((pattern) => pattern.replace('{locale}', locale).slice(2));
      expect([...shared, ...own].sort(), locale).toEqual(named.sort());
    }
  });
  it.each(project.locales.filter((locale) => locale !== project.baseLocale))(
    'are all there in %s, with the same placeholders',
    (locale) => {
      const other = messages(locale);
      expect([...other.keys()].sort()).toEqual([...base.keys()].sort());
      for (const [key, message] of other) {
        expect(placeholders(message), key).toEqual(placeholders(base.get(key) ?? ''));
        for (const text of wordings(message)) expect(text.trim(), key).not.toBe('');
      }
    },
  );
});

/** What a person would read or hear if it stood in the markup: `aria-label="Close"`. */
const SPOKEN = /^(aria-(label|description|roledescription|valuetext)|title|alt|placeholder|label)$/;
const hasWords = (text: string) => /\p{L}{2,}/u.test(text);

/** Words written in the markup of a component instead of a message file. */
function strayWords(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, name, value, data } = node as Record<string, unknown>;
    if (type === 'Text' && hasWords(String(data))) found.push(String(data).trim());
    if (type === 'Attribute' && !SPOKEN.test(String(name))) return;
    if (type === 'Attribute') return visit(value);
    if (type === 'ExpressionTag' || type === 'StyleDirective') return;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(readFileSync(file, 'utf8'), { modern: true }).fragment);
  return found;
}

describe('pages have no words of their own', () => {
  const source = folder('src');
  const components = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.svelte'),
  );
  it('there are components', () => {
    expect(components.length).toBeGreaterThan(20);
    expect(existsSync(join(source, 'App.svelte'))).toBe(true);
  });
  it.each(components)('%s', (name) => {
    expect(strayWords(join(source, name))).toEqual([]);
  });
});
