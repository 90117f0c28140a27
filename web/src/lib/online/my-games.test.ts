import { describe, expect, it } from 'vitest';
import { inOrder, withChallenge, withGame } from './my-games.svelte';
import { ANNA, BRUNO } from './testing';
import type { Challenge, GameSummary } from './wire';

const game = (id: string, changes: Partial<GameSummary> = {}): GameSummary => ({
  id,
  game: 'impasse',
  control: { kind: 'unlimited' },
  players: [ANNA, BRUNO],
  rated: false,
  created: 0,
  updated: 0,
  version: 1,
  ply: 0,
  position: '',
  turn: 'first',
  deadline: null,
  result: null,
  ...changes,
});
const ids = (games: { id: string }[]) => games.map(({ id }) => id);

describe('games', () => {
  it('that wait for us come first, the most urgent ahead', () => {
    const games = [
      game('theirs, old', { turn: 'second', updated: 1 }),
      game('theirs, new', { turn: 'second', updated: 9 }),
      game('ours, no hurry', { updated: 5 }),
      game('ours, in a week', { deadline: 700, updated: 6 }),
      game('ours, tomorrow', { deadline: 100, updated: 2 }),
    ];
    expect(ids(inOrder(games, ({ turn }) => turn === 'first'))).toEqual([
      'ours, tomorrow',
      'ours, in a week',
      'ours, no hurry',
      'theirs, new',
      'theirs, old',
    ]);
  });
  it('are replaced by their updates, and go when they end', () => {
    const known = [game('a', { version: 3 }), game('b')];
    expect(withGame(known, game('a', { version: 4, ply: 7 }))[0]?.ply).toBe(7);
    expect(ids(withGame(known, game('c')))).toEqual(['c', 'a', 'b']);
    const ended = { winner: null, reason: 'agreed' } as const;
    expect(ids(withGame(known, game('a', { version: 4, result: ended })))).toEqual(['b']);
    // What is older than what is known changes nothing.
    expect(withGame(known, game('a', { version: 2, ply: 1 }))[0]?.ply).toBe(0);
  });
});

describe('challenges', () => {
  const challenge = (id: string, state: Challenge['state'] = 'open'): Challenge => ({
    id,
    game: 'impasse',
    side: 'random',
    control: { kind: 'unlimited' },
    rated: false,
    creator: ANNA,
    opponent: null,
    listed: true,
    state,
    game_id: null,
    created: 0,
    expires: 1,
  });
  it('are there while they are open, once', () => {
    const list = [challenge('a'), challenge('b')];
    expect(ids(withChallenge(list, challenge('b')))).toEqual(['b', 'a']);
    expect(ids(withChallenge(list, challenge('a', 'accepted')))).toEqual(['b']);
  });
});
