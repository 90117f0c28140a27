import { describe, expect, it, vi } from 'vitest';
import type { AskRules } from '$lib/rules';
import { Threat } from './threat.svelte';

vi.mock('$lib/engine', () => ({
  Engine: class {
    ask = () => new Promise(() => undefined);
    stop = () => undefined;
    close = () => undefined;
  },
}));

const asked = { game: 'impasse', position: 'here w', side: 'first' as const };

function threatWith(edited: object, state: object) {
  const rules = (async (ask: string) => (ask === 'edit' ? edited : state)) as unknown as AskRules;
  return new Threat(rules);
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('a threat', () => {
  it('is looked for with the other side to move', async () => {
    const state = { outcome: null, moves: 3, position: 'here b' };
    const threat = threatWith({ objections: [], setup: 'here b' }, state);
    threat.follow(asked);
    await settled();
    expect(threat.position).toBe('here b');
    expect(threat.lines.thinking).toBe(true);
    threat.follow(null);
    expect(threat.lines.thinking).toBe(false);
    expect(threat.position).toBeUndefined();
  });
  it('is none where the rules do not let the other side move', async () => {
    const impossible = threatWith({ objections: [{}], setup: '' }, {});
    impossible.follow(asked);
    const over = threatWith(
      { objections: [], setup: '' },
      { outcome: { winner: 'first' }, moves: 0 },
    );
    over.follow(asked);
    await settled();
    expect([impossible.position, over.position]).toEqual([null, null]);
    expect(impossible.lines.thinking).toBe(false);
  });
});
