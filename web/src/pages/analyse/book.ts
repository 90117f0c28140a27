/** The engine's opening books: what it has played against itself, and what came of it. */
import { GAMES, optionOf, plainId } from '$games/index';
import { fetched, Once } from '$lib/once';
import { rules } from '$lib/rules';

/** A move of a book, with results for the side that makes it. */
export interface BookMove {
  move: string;
  won: number;
  drawn: number;
  lost: number;
}

type Book = ReadonlyMap<string, readonly BookMove[]>;

const books = new Once(load);

/** Whether there may be a book of a game. */
export const hasBook = (game: string): boolean => {
  const id = plainId(game);
  return id !== undefined && GAMES[id].loadBook !== undefined;
};

/** The moves that the engine has played in a position, the most frequent first. */
export async function bookMoves(game: string, position: string): Promise<BookMove[]> {
  const book = await books.get(game);
  const { key, moves } = await rules('fold', { game, position });
  const known = book.get(key) ?? [];
  const here = known.flatMap((one) => {
    const move = moves[one.move];
    return move === undefined ? [] : [{ ...one, move }];
  });
  const games = ({ won, drawn, lost }: BookMove) => won + drawn + lost;
  return here.sort((a, b) => games(b) - games(a));
}

async function load(game: string): Promise<Book> {
  const id = plainId(game);
  const found = id && (await GAMES[id].loadBook?.());
  const address = found?.bookAddress(optionOf(game));
  if (address === undefined) return new Map();
  return readBook(await (await fetched(address)).text());
}

/** Reads a book (`crates/engine/src/selfplay/book.rs` writes it). */
export function readBook(text: string): Book {
  const [, ...lines] = text.slice(text.indexOf('\n\n') + 1).split('\n');
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [key = '', ...words] = line.split(' ');
        const moves: BookMove[] = [];
        for (let at = 0; at + 3 < words.length; at += 4) {
          const [won = 0, drawn = 0, lost = 0] = words.slice(at + 1, at + 4).map(Number);
          moves.push({ move: words[at] ?? '', won, drawn, lost });
        }
        return [key, moves] as const;
      }),
  );
}
