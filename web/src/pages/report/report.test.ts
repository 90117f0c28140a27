import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GAME_IDS, GAMES, optionOf, plainId } from '$games/index';
import { number, percent, readReport, whole } from './report';

describe('figures', () => {
  it('have as many digits as their error lets mean something', () => {
    expect(percent({ value: 0.5612, low: 0.538, high: 0.5848 })).toBe('56\u00a0±\u00a02%');
    expect(number({ value: 61.27, low: 60.85, high: 61.69 })).toBe('61.3\u00a0±\u00a00.4');
    expect(number({ value: 120, low: 310, high: null })).toBe('120');
    expect(number({ value: null, low: 310, high: null })).toBe('∞');
    expect(whole(872893441)).toBe('872,893,441');
  });
});

describe('reports', () => {
  it.each(GAME_IDS)('of %s are complete', async (id) => {
    const { source } = await GAMES[id].loadReport();
    const report = readReport(source.data);
    const written = readFileSync(
      new URL(`../../../../docs/reports/${id}.json`, import.meta.url),
      'utf8',
    );
    expect(source.data).toBe(written);
    expect(report.boards.length).toBeGreaterThan(0);
    for (const board of report.boards) {
      expect(plainId(board.id)).toBe(id);
      const option = optionOf(board.id);
      const options = GAMES[id].options;
      if (options) expect(options.values.map(({ value }) => value)).toContain(option);
      expect(board.exact ?? board.figures).not.toBeNull();
      for (const rule of board.figures?.rules ?? [])
        expect(source.rules, `${id} ${rule.id}`).toHaveProperty([rule.id]);
    }
  });
});
