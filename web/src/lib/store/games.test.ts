import { beforeEach, describe, expect, it } from 'vitest';
import { deleteGame, listGames, loadGame, saveGame, type SavedGame } from './games';

class FakeStore {
  private items = new Map<string, string>();
  full = false;
  get length() {
    return this.items.size;
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, text: string) {
    if (this.full) throw new Error('QuotaExceededError');
    this.items.set(key, text);
  }
  removeItem(key: string) {
    this.items.delete(key);
  }
}
let store: FakeStore;
beforeEach(() => {
  store = new FakeStore();
  Object.defineProperty(globalThis, 'localStorage', { value: store, configurable: true });
});

const game = (id: string, updated = 1): SavedGame => ({
  version: 1,
  id,
  name: 'A game',
  game: 'impasse',
  moves: ['d2-b4'],
  players: [{ kind: 'person' }, { kind: 'engine', level: 3 }],
  seed: 7,
  created: 1,
  updated,
});

describe('games', () => {
  it('come back as they were kept, the latest first', () => {
    saveGame(game('a', 1));
    saveGame(game('b', 2));
    expect(loadGame('a')).toEqual({ game: game('a', 1) });
    expect(listGames().games.map(({ id }) => id)).toEqual(['b', 'a']);
    deleteGame('b');
    expect(loadGame('b')).toEqual({ missing: true });
  });
  it.each([
    '',
    'rubbish',
    '{}',
    '[]',
    '{"version":2}',
    JSON.stringify({ ...game('a'), players: [{}] }),
  ])('that are damaged are recognised and never overwritten: %s', (text) => {
    store.setItem('stoa.game.a', text);
    expect(listGames()).toEqual({ games: [], damaged: [{ key: 'stoa.game.a', text }] });
    expect(saveGame(game('a'))).toBe(false);
    expect(store.getItem('stoa.game.a')).toBe(text);
  });
  it('are not kept in a full store, and the caller learns of it', () => {
    store.full = true;
    expect(saveGame(game('a'))).toBe(false);
  });
  it('are not kept without a store', () => {
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new Error('SecurityError');
      },
      configurable: true,
    });
    expect(saveGame(game('a'))).toBe(false);
    expect(listGames()).toEqual({ games: [], damaged: [] });
  });
});
