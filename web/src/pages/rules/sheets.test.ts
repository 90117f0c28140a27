import { GAME_IDS, GAMES, plainId } from '$games/index';
import { describe, expect, it } from 'vitest';
import { ask, contentsOf } from './testing';

const sheets = await Promise.all(GAME_IDS.map(async (id) => (await GAMES[id].loadSheet()).sheet));

describe.each(sheets)('the rules of $game', (sheet) => {
  const contents = contentsOf(sheet);

  it('tell every clause in order, and every ruling', () => {
    const told = sheet.entries.flatMap(({ clauses }) => clauses);
    expect([...new Set(told)]).toEqual(contents.clauses);
    expect(sheet.rulings.map(({ id }) => id)).toEqual(contents.rulings);
    expect(new Set(sheet.entries.map(({ id }) => id)).size).toBe(sheet.entries.length);
  });

  const diagrams = sheet.entries.flatMap((entry) => entry.diagrams);
  it.each(diagrams)('show $position $move as the rules do', ({ game, position, move }) => {
    expect(plainId(game)).toBe(sheet.game);
    expect(ask('state', { game, position }).position).toBe(position);
    if (move !== undefined) expect(ask('play', { game, position, move }).move).toBe(move);
  });

  it('explain a position that the rules can read', () => {
    const { text } = sheet.position;
    const game = diagrams[0]?.game ?? sheet.game;
    expect(ask('state', { game, position: text }).position).toBe(text);
  });

  it('have all their words', () => {
    const words = [
      sheet.idea,
      ...sheet.entries.flatMap((entry) => [entry.title, ...entry.text]),
      ...diagrams.map(({ caption }) => caption),
      ...sheet.rulings.map(({ text }) => text),
      ...sheet.notation.map(({ meaning }) => meaning),
      ...sheet.hints,
    ];
    for (const word of words) expect(word()).toMatch(/\S/);
  });
});
