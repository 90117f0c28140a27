import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Games, SIDES } from '$lib/rules/protocol';
import { askRules, initSync } from '../../wasm/stoa_wasm.js';
import { chooseLocale } from './locale.svelte';
import { CREDITS, GAME_NAMES, levelName, sideName } from './words';

initSync({ module: readFileSync(new URL('../../wasm/stoa_wasm_bg.wasm', import.meta.url)) });
const { games, levels } = (JSON.parse(askRules('{"ask":"games"}')) as { ok: Games }).ok;

// The rules speak English.
chooseLocale('en');

describe('what the page says about games is what the rules say', () => {
  it.each(games)('$id', ({ info }) => {
    expect(GAME_NAMES[info.id]).toBe(info.name);
    expect(CREDITS[info.id]).toEqual({ designer: info.designer, year: info.year });
    expect(SIDES.map(sideName(info.id))).toEqual(info.sides);
  });
  it('levels', () => {
    expect(levels.map(({ number }) => levelName(number))).toEqual(levels.map(({ name }) => name));
  });
});
