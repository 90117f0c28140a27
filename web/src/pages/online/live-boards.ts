/** Games being played, kept up to date by what the server sends about their boards. */
import type { BoardUpdate, LiveGame } from '$lib/online/wire';

/** The games with what is new; what is older than what is known changes nothing. */
export function withBoards(games: readonly LiveGame[], boards: readonly BoardUpdate[]): LiveGame[] {
  const news = new Map(boards.map((board) => [board.game, board]));
  return games.map((game) => {
    const board = news.get(game.id);
    if (!board || board.version <= game.version) return game;
    const { version, ply, position, turn, result } = board;
    return { ...game, version, ply, position, turn, result };
  });
}

/** Whether there is news of a game that we do not have. */
export const hasNew = (games: readonly LiveGame[], boards: readonly BoardUpdate[]): boolean =>
  boards.some((board) => board.result === null && !games.some(({ id }) => id === board.game));

/** A new list; where we know more than the list, which is some seconds old, we keep it. */
export function withList(games: readonly LiveGame[], list: readonly LiveGame[]): LiveGame[] {
  const known = new Map(games.map((game) => [game.id, game]));
  return list.map((game) => {
    const before = known.get(game.id);
    return before && before.version > game.version ? { ...before, viewers: game.viewers } : game;
  });
}

/**
 * The game that is shown large: the same as before for as long as it is played, then the most
 * watched one.
 */
export function nowPlaying(games: readonly LiveGame[], before?: string): LiveGame | undefined {
  const playing = games.filter((game) => game.result === null);
  return playing.find(({ id }) => id === before) ?? playing[0];
}
