import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deleteAnalysis,
  type KeptAnalysis,
  listAnalyses,
  loadAnalysis,
  parseAnalysis,
  saveAnalysis,
} from './kept';

const sample: KeptAnalysis = {
  version: 1,
  id: 'one',
  name: 'One',
  game: 'colonnade',
  start: '-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r',
  tags: [['red', 'Ada']],
  comment: '',
  nodes: [{ move: '1b<', glyph: '!', variations: [[{ move: '1c<', comment: 'hm' }]] }],
  at: ['1b<'],
  curve: { moves: ['1b<'], values: [0.5, 0.6] },
  updated: 1,
};

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  });
});

describe('kept analyses', () => {
  it('are kept, listed and deleted', () => {
    expect(saveAnalysis(sample)).toBe(true);
    expect(saveAnalysis({ ...sample, id: 'two', updated: 2 })).toBe(true);
    expect(listAnalyses().analyses.map(({ id }) => id)).toEqual(['two', 'one']);
    expect(loadAnalysis('one')).toEqual({ analysis: sample });
    deleteAnalysis('one');
    expect(loadAnalysis('one')).toEqual({ missing: true });
  });

  it('are never written over when damaged', () => {
    localStorage.setItem('stoa.analysis.one', '{');
    expect(saveAnalysis(sample)).toBe(false);
    expect(listAnalyses()).toEqual({ analyses: [], damaged: [{ id: 'one', text: '{' }] });
    expect(localStorage.getItem('stoa.analysis.one')).toBe('{');
  });

  it.each([
    'null',
    '[]',
    '{"version":2}',
    JSON.stringify({ ...sample, nodes: [{ move: 1 }] }),
    JSON.stringify({ ...sample, nodes: [{ move: 'a', variations: [{ move: 'b' }] }] }),
    JSON.stringify({ ...sample, at: 'a' }),
    JSON.stringify({ ...sample, curve: { moves: [], values: [7] } }),
  ])('refuse %s', (text) => {
    expect(parseAnalysis(text)).toBeUndefined();
  });
});
