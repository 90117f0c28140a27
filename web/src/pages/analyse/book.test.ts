import { describe, expect, it } from 'vitest';
import { GAME_IDS, type GameId, GAMES } from '$games/index';
import { hasBook, readBook } from './book';

describe('books', () => {
  it('are read', () => {
    const book = readBook(
      'stoa-book 1\ngame: impasse\ngames: 9\n\n00ff d2-b4 3 0 1 f2-d4 2 1 2\n0a0b e7-g5 1 0 0\n',
    );
    expect([...book.keys()]).toEqual(['00ff', '0a0b']);
    expect(book.get('00ff')).toEqual([
      { move: 'd2-b4', won: 3, drawn: 0, lost: 1 },
      { move: 'f2-d4', won: 2, drawn: 1, lost: 2 },
    ]);
  });

  it('without positions are empty', () => {
    expect(readBook('stoa-book 1\ngame: impasse\ngames: 0\n\n').size).toBe(0);
  });

  it('are there for every game that is not solved', () => {
    const isSolved = (id: GameId) => GAMES[id].isSolved === true;
    expect(GAME_IDS.filter((id) => !hasBook(id))).toEqual(GAME_IDS.filter(isSolved));
  });
});
