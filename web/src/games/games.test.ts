import { describe, expect, it } from 'vitest';
import { tokenOf } from '$lib/board/look';
import { pieceWords } from '$lib/board/speech';
import { byPiece } from '$lib/rules/protocol';
import { ask } from '../pages/rules/testing';
import { GAME_IDS, GAMES, loadLook, usualVariant } from './index';

describe.each(GAME_IDS)('the folder of %s', (id) => {
  const { pieces } = ask('edit', { game: id });

  it('draws, names and counts every piece of the game', async () => {
    const { tokens } = await loadLook(id);
    const { lesson } = await GAMES[id].loadLesson();
    for (const piece of pieces) {
      expect(tokenOf(tokens, piece).height).toBeGreaterThan(0);
      expect(pieceWords(id, piece)).not.toBe('');
      expect(byPiece(lesson.owners, piece).length).toBeGreaterThan(0);
    }
  });

  it('has a scene, a small board and options that the rules know', () => {
    const { scene, small = id, options } = GAMES[id];
    expect(ask('state', scene).position).toBe(scene.position);
    for (const game of [small, usualVariant(id)]) ask('state', { game });
    for (const { value, label } of options?.values ?? []) {
      ask('state', { game: `${id}:${value}` });
      expect(label()).not.toBe('');
      expect(options?.name(value)).toContain(GAMES[id].name);
    }
    expect(options?.values.map(({ value }) => value) ?? []).toEqual(
      expect.arrayContaining([...(options?.offered ?? [])]),
    );
  });

  it('keeps as much space for the board as the look needs', async () => {
    const { view } = ask('state', { game: id });
    const { width, height } = (await loadLook(id)).layout(view);
    expect(GAMES[id].aspect).toBeCloseTo(width / height, 2);
  });
});
