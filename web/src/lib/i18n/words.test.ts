import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GAME_IDS, GAMES, plainId } from '$games/index';
import { type Games, SIDES } from '$lib/rules/protocol';
import { askRules, initSync } from '../../wasm/stoa_wasm.js';
import { chooseLocale } from './locale.svelte';
import { levelName, sideName } from './words';

initSync({ module: readFileSync(new URL('../../wasm/stoa_wasm_bg.wasm', import.meta.url)) });
const { games, levels } = (JSON.parse(askRules('{"ask":"games"}')) as { ok: Games }).ok;

// The rules speak English.
chooseLocale('en');

describe('what the page says about games is what the rules say', () => {
  it('all of them, in the same order', () => {
    expect(games.map(({ info }) => info.id)).toEqual(GAME_IDS);
  });
  it.each(games)('$id', ({ info }) => {
    const id = plainId(info.id);
    if (id === undefined) throw new Error(`the page has no game ${info.id}`);
    const { name, designer, year } = GAMES[id];
    expect({ name, designer, year }).toEqual({
      name: info.name,
      designer: info.designer,
      year: info.year,
    });
    expect(SIDES.map(sideName(id))).toEqual(info.sides);
  });
  it('levels', () => {
    expect(levels.map(({ number }) => levelName(number))).toEqual(levels.map(({ name }) => name));
  });
});
