/**
 * A game on the server, on a board here. The server's list of moves is the truth; after whatever
 * happens `reconcile` makes the line on the board the same, and a person who looks at an earlier
 * position is left where they are.
 */
import { type GameId, loadLook, plainId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { Board } from '$lib/board/board.svelte';
import { Session } from '$lib/board/session.svelte';
import { sideName } from '$lib/i18n/words';
import { connection } from '$lib/online/connection.svelte';
import { LiveGame } from '$lib/online/live-game.svelte';
import type { GameEvent, GameView, Side } from '$lib/online/wire';
import { playerName, refusalWords, resultWords, spanWords } from '$lib/online/words';
import { rules } from '$lib/rules';
import { sideIndex } from '$lib/rules/protocol';
import { play as playSound } from '$lib/sound/sound';
import { m } from '$messages';

export class OnlineGame {
  readonly live: LiveGame;
  board = $state.raw<Board | undefined>();
  session = $state.raw<Session | undefined>();
  game = $state.raw<GameId | undefined>();
  /** Whether a planned move turned out to be impossible. */
  planGone = $state(false);
  /** How many moves were played when the person began to try out moves on the board; nothing otherwise. */
  private imaginedFrom = $state<number | undefined>();
  /** What went wrong here, not on the server. */
  error = $state.raw<unknown>();
  private reconciling = false;
  private stale = false;
  private closed = false;

  constructor(
    id: string,
    private readonly onrematch: (game: string) => void,
  ) {
    this.live = new LiveGame(connection(), id, {
      ongame: (view, before) => this.arrived(view, before),
      onevent: (event, view) => this.happened(event, view),
    });
  }

  close(): void {
    this.closed = true;
    this.live.close();
  }

  get view(): GameView | null {
    return this.live.view;
  }

  name(seat: Side): string {
    const player = this.view?.players[sideIndex(seat)];
    return player ? playerName(player) : '';
  }

  /** Whether moves on the board are only tried out. */
  get imagines(): boolean {
    return this.imaginedFrom !== undefined;
  }

  /** The moves that are tried out. */
  get imagined(): string[] {
    return this.session && this.imaginedFrom !== undefined
      ? this.session.moves.slice(this.imaginedFrom)
      : [];
  }

  /** Lets the person play both sides, from the game as it is. */
  async imagine(): Promise<void> {
    if (!this.session || !this.view || this.live.pending) return;
    await this.goTo(this.session.line.length);
    this.session.board.cancel();
    this.imaginedFrom = this.view.moves.length;
    this.steer();
  }

  /** Takes back the last move that was tried out, or all of them, which ends it. */
  async imagineBack(all: boolean): Promise<void> {
    const { session, imaginedFrom } = this;
    if (!session || imaginedFrom === undefined) return;
    await session.truncate(all ? imaginedFrom : Math.max(imaginedFrom, session.line.length - 1));
    if (all) this.imaginedFrom = undefined;
    this.steer();
  }

  /** A whole move was clicked. */
  async move(move: string): Promise<void> {
    if (this.imagines) {
      await this.session?.play(move);
      this.steer();
      return;
    }
    this.planGone = false;
    this.live.move(move);
    await this.reconcile();
  }

  async goTo(ply: number): Promise<void> {
    try {
      await this.session?.show(ply);
    } catch (error) {
      this.error = error;
    }
    this.steer();
  }

  private arrived(view: GameView, before: GameView | null): void {
    const ended = before !== null && before.result === null && view.result !== null;
    void this.reconcile().then(() => {
      if (ended) this.tellEnd(view);
    });
    if (before !== null && before.next === null) this.toRematch(view);
  }

  private happened(event: GameEvent, view: GameView): void {
    this.tell(event);
    const ends = event.kind === 'moved' || event.kind === 'ended' || event.kind === 'aborted';
    void this.reconcile().then(() => {
      if (ends && view.result !== null) this.tellEnd(view);
    });
    if (event.kind === 'rematched') this.toRematch(view);
  }

  /** The players continue with the new game; viewers get a link to it. */
  private toRematch(view: GameView): void {
    if (view.next !== null && this.live.seat !== undefined) this.onrematch(view.next);
  }

  /** Says what the other side asks for or answers. */
  private tell(event: GameEvent): void {
    if (!('by' in event) || event.by == null || event.by === this.live.seat) return;
    // Time is given to a player, not to those who watch.
    if (event.kind === 'time_added' && this.live.seat === undefined) return;
    const name = this.name(event.by);
    const words: Partial<Record<GameEvent['kind'], () => string>> = {
      draw_offered: () => m.game_offers_draw({ name }),
      draw_declined: () => m.game_declines_draw({ name }),
      takeback_offered: () => m.game_offers_takeback({ name }),
      takeback_declined: () => m.game_declines_takeback({ name }),
      rematch_offered: () => m.game_offers_rematch({ name }),
      rematch_declined: () => m.game_declines_rematch({ name }),
      time_added: () =>
        m.game_adds_time({ name, time: spanWords(event.kind === 'time_added' ? event.ms : 0) }),
    };
    const said = words[event.kind]?.();
    if (said !== undefined) announce(said);
  }

  private tellEnd(view: GameView): void {
    if (this.game === undefined || view.result === null) return;
    const words = resultWords(this.game, view.result);
    announce(view.result.reason === 'aborted' ? words : `${this.lastMoveWords()} ${words}`.trim());
    playSound('end');
    // The pieces of whoever won show it, for those who watch and for the winner.
    const { winner } = view.result;
    const { seat } = this.live;
    if (this.board && winner !== null && (seat === undefined || seat === winner)) {
      this.board.cheered = winner;
    }
  }

  /** The last move of the line, with the side that made it. */
  private lastMoveWords(): string {
    const { session, game } = this;
    const move = session?.line.at(-1)?.move;
    if (session === undefined || game === undefined || move === undefined) return '';
    const mover: Side = session.line.length % 2 === 1 ? 'first' : 'second';
    return m.announce_move({ side: sideName(game)(mover), move });
  }

  /** Makes the line on the board what the server says, one thing after the other. */
  private async reconcile(): Promise<void> {
    this.stale = true;
    if (this.reconciling) return;
    this.reconciling = true;
    try {
      while (this.stale && !this.closed) {
        this.stale = false;
        await this.follow();
      }
    } catch (error) {
      this.error = error;
    } finally {
      this.reconciling = false;
    }
    this.steer();
  }

  private async follow(): Promise<void> {
    const { view } = this.live;
    if (view === null) return;
    const session = this.session ?? (await this.setUp(view));
    if (session === undefined) return;
    const wanted = this.live.moves;
    const known = session.moves;
    if (this.imaginedFrom !== undefined) {
      if (sameMoves(wanted, known.slice(0, this.imaginedFrom))) return;
      this.imaginedFrom = undefined;
    }
    if (sameMoves(wanted, known)) return;
    const isTheirs = wanted.length > known.length && this.live.isMyTurn;
    const isNext = wanted.length === known.length + 1 && sameMoves(wanted.slice(0, -1), known);
    const last = wanted.at(-1);
    if (isNext && last !== undefined && session.isAtEnd) {
      await this.play(session, last);
      if (isTheirs) await this.playPlan(session);
      return;
    }
    // What was planned for another position is not meant any more.
    session.board.plan = [];
    const wasAtEnd = session.isAtEnd;
    const { line } = await rules('line', { game: view.game, moves: wanted });
    const shared = line.findIndex(({ move }, i) => move !== known[i]);
    const keeps = shared === -1 ? line.length : shared;
    session.line = line;
    if (wasAtEnd || session.ply > keeps) await session.show(line.length);
    if (wanted.length > known.length) this.tellMove(false);
  }

  /** Plays the move that was planned while the other side was thinking, if it is possible now. */
  private async playPlan({ board }: Session): Promise<void> {
    if (board.plan.length === 0) return;
    const move = await board.takePlan();
    if (move === null) {
      this.planGone = true;
      announce(m.plan_gone());
    } else if (this.live.isMyTurn) {
      this.live.move(move);
      this.stale = true;
    }
  }

  private async setUp(view: GameView): Promise<Session | undefined> {
    const game = plainId(view.game);
    if (game === undefined) throw new Error(m.game_unknown_kind());
    const look = await loadLook(game);
    const board = new Board({ look, rules, onmove: (move) => void this.move(move) });
    const session = new Session(rules, board);
    await session.open(view.game, this.live.moves);
    if (this.live.seat !== undefined) board.seat(this.live.seat);
    [this.game, this.board, this.session] = [game, board, session];
    return session;
  }

  private async play(session: Session, move: string): Promise<void> {
    const before = session.board.tokens.length;
    await session.play(move);
    this.tellMove(session.board.tokens.length < before);
  }

  private tellMove(captured: boolean): void {
    // A move that ends the game is announced with the result.
    if (this.live.view?.result != null) return;
    const turn = this.live.isMyTurn ? m.game_your_turn() : '';
    announce(`${this.lastMoveWords()} ${turn}`.trim());
    playSound(captured ? 'capture' : 'move');
  }

  /** Lets the person move if it is their turn and they look at the game as it is. */
  steer(): void {
    const { board, session, live } = this;
    if (!board || !session) return;
    if (this.imagines) {
      [board.canMove, board.plans, board.plan] = [session.isAtEnd, false, []];
      return;
    }
    board.canMove = live.isMyTurn && session.isAtEnd;
    const isPlaying = live.seat !== undefined && live.view?.result === null;
    board.plans = isPlaying && !live.isMyTurn && session.isAtEnd && live.pending === null;
    // When it is our turn the plan is about to be played, so it is kept until then.
    if (!isPlaying) board.plan = [];
  }

  /** Why the last thing was not done. */
  get refusal(): string {
    const { refused } = this.live;
    return refused === null ? '' : refusalWords(refused.code, refused.message);
  }
}

const sameMoves = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((move, i) => move === b[i]);
