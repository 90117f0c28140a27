/**
 * What was played from a position on this server, or by the engine against itself; asked for a moment after
 * the position has changed.
 */
import { explore } from '$lib/online/api';
import { NoServer, ServerRefused } from '$lib/online/http';
import { type BookMove, bookMoves } from './book';

/** Those who step through a game do not ask about every position. */
const ASK_DELAY_MS = 200;

export type Scope = 'people' | 'me' | 'bots' | 'engine';

/** A move with its results; `game` is the latest in which it was made, where it can be looked at. */
export type ExploredMove = BookMove & { game?: string };

interface Wanted {
  game: string;
  position: string;
  by: Scope;
}

export class Explorer {
  moves = $state.raw<ExploredMove[]>([]);
  state = $state<'off' | 'asking' | 'done' | 'no player' | 'no server' | 'failed'>('off');
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = '';

  /** Asks about a position; about none with null. */
  follow(wanted: Wanted | null): void {
    const question = wanted === null ? '' : new URLSearchParams({ ...wanted }).toString();
    if (question === this.asked) return;
    this.asked = question;
    clearTimeout(this.timer);
    this.state = wanted === null ? 'off' : 'asking';
    if (wanted !== null)
      this.timer = setTimeout(() => void this.ask(wanted, question), ASK_DELAY_MS);
  }

  close(): void {
    this.follow(null);
  }

  private async ask({ game, position, by }: Wanted, question: string): Promise<void> {
    let state: typeof this.state = 'done';
    let moves: ExploredMove[] = [];
    try {
      moves =
        by === 'engine'
          ? await bookMoves(game, position)
          : await explore(new URLSearchParams(question));
    } catch (error) {
      if (error instanceof ServerRefused) state = error.status === 401 ? 'no player' : 'failed';
      else state = error instanceof NoServer ? 'no server' : 'failed';
    }
    // The position has changed meanwhile.
    if (question !== this.asked) return;
    [this.moves, this.state] = [moves, state];
  }
}

export const gamesOf = ({ won, drawn, lost }: ExploredMove): number => won + drawn + lost;

/** The share of a result, in percent. */
export const shareOf = (part: number, move: ExploredMove): number =>
  Math.round((100 * part) / Math.max(1, gamesOf(move)));
