/**
 * A game on the server as it is known here. There is one source of truth, the messages `game` and
 * `update`; nothing else changes `view`. An own move is shown before it is confirmed, as `pending`,
 * and sent with the same number until the server has taken or refused it.
 */
import type { Connection } from './connection.svelte';
import { ServerRefused } from './http';
import { dropPending, keepPending, type PendingMove, readPending } from './pending';
import type { Action, GameEvent, GameView, ServerMessage, Side, Situation } from './wire';
import { sideOf } from './wire';

/** An update that was confirmed comes at once; if it does not, the game is asked for again. */
const UPDATE_TIMEOUT_MS = 2000;
/** A game that is older than the latest update is asked for again: when, and how often at most. */
const STALE_RETRY_DELAY_MS = 200;
const MAX_STALE_RETRIES = 5;
/** A game that has ended counts a moment later; if nothing is heard of it, it is asked for again. */
const RATED_TIMEOUT_MS = 4000;
/** When a busy server is asked again. */
const BUSY_RETRY_DELAY_MS = 1500;
/** What passes by itself: the same again a moment later is right. */
const PASSING = new Set(['unavailable', 'too_many']);

export interface Listeners {
  /** Something happened; `view` is what came of it. */
  onevent?: (event: GameEvent, view: GameView) => void;
  /** The whole game has arrived: the first time without `before`, later because some was missed. */
  ongame?: (view: GameView, before: GameView | null) => void;
}

/** What the server refused last, and whether it was a move. */
export interface RefusedAction {
  code: string;
  message: string;
  action: Action['kind'];
}

export class LiveGame {
  view = $state.raw<GameView | null>(null);
  viewers = $state(0);
  /** Whether each player is at the board. */
  present = $state.raw<[boolean, boolean]>([false, false]);
  pending = $state.raw<PendingMove | null>(null);
  /** What else was asked for and is not answered yet. */
  asking = $state<Action['kind'] | null>(null);
  refused = $state.raw<RefusedAction | null>(null);
  /** Why there is no such game. */
  missing = $state.raw<ServerRefused | null>(null);

  private inFlight = false;
  /** The latest version that was heard of, and how often the server knew only an older one. */
  private newest = 0;
  private doubts = 0;
  private closed = false;
  private readonly leave: (() => void)[];
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(
    private readonly connection: Connection,
    readonly id: string,
    private readonly listeners: Listeners = {},
  ) {
    this.pending = readPending(id);
    this.leave = [
      connection.listen((message) => this.hear(message)),
      connection.hold(),
      connection.watch(id, (error) => this.notWatched(error)),
    ];
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const leave of this.leave) leave();
  }

  /** Our seat; nothing for those who watch. */
  get seat(): Side | undefined {
    return this.view ? sideOf(this.view.players, this.connection.player) : undefined;
  }

  /** The moves as they are shown: with the one that is on its way. */
  get moves(): string[] {
    const moves = this.view?.moves ?? [];
    return this.pending?.ply === moves.length ? [...moves, this.pending.move] : moves;
  }

  get isMyTurn(): boolean {
    const { view, seat, pending } = this;
    return seat !== undefined && pending === null && view?.turn === seat;
  }

  /** Whether it has ended, and what it does to ratings is not known yet. */
  get isToBeRated(): boolean {
    const { view } = this;
    if (!view?.rated || view.result === null || view.rating_changes) return false;
    return view.result.reason !== 'aborted' && view.moves.length >= 2;
  }

  /** Plays a move. It is kept until the server has answered, whatever happens meanwhile. */
  move(move: string): void {
    if (!this.view || !this.isMyTurn) return;
    this.refused = null;
    this.pending = { ply: this.view.moves.length, move };
    keepPending(this.id, this.pending);
    this.send();
  }

  /** Asks for anything else. What is cut off is not repeated: the game will show whether it was done. */
  async act(kind: Exclude<Action['kind'], 'move'>): Promise<void> {
    if (this.asking !== null) return;
    this.asking = kind;
    this.refused = null;
    try {
      this.awaitVersion(await this.connection.act(this.id, { kind } as Action));
    } catch (error) {
      if (error instanceof ServerRefused) this.refuse(error, kind);
    } finally {
      this.asking = null;
    }
  }

  private hear(message: ServerMessage): void {
    if (message.t === 'game' && message.game.id === this.id) this.takeWhole(message.game);
    else if (message.t === 'update' && message.game === this.id) {
      this.takeUpdate(message.event, message.situation);
    } else if (message.t === 'viewers' && message.game === this.id) {
      this.count(message);
    } else if (message.t === 'clocks' && message.game === this.id) {
      const { situation, vacations } = message;
      // An update that is still on its way brings its own situation.
      if (this.view?.version === situation.version) {
        this.view = { ...this.view, ...situation, vacations };
      } else this.connection.watchAgain(this.id);
    } else if (message.t === 'rated' && message.game === this.id && this.view) {
      this.view = { ...this.view, rating_changes: message.changes };
    }
  }

  private count({ viewers, present }: Pick<GameView, 'viewers' | 'present'>): void {
    this.viewers = viewers;
    this.present = present;
  }

  private takeWhole(view: GameView): void {
    const before = this.view;
    this.missing = null;
    // A whole game can be overtaken by an update, and another node can be a little behind.
    const isBehind = view.version < this.newest || (this.pending?.ply ?? 0) > view.moves.length;
    const isDoubtful = isBehind && this.doubts < MAX_STALE_RETRIES;
    if (isDoubtful) {
      this.doubts += 1;
      this.later(this.doubts * STALE_RETRY_DELAY_MS, () => this.connection.watchAgain(this.id));
      if (before !== null && view.version < before.version) return;
    } else {
      this.doubts = 0;
      this.newest = view.version;
    }
    this.view = view;
    this.count(view);
    if (!isDoubtful) this.judgePending(view);
    this.listeners.ongame?.(view, before);
  }

  private takeUpdate(event: GameEvent, situation: Situation): void {
    const { view } = this;
    this.newest = Math.max(this.newest, situation.version);
    // Before the game itself there is nothing to update; the game will have it in it.
    if (view === null || situation.version <= view.version) return;
    const moves = movesAfter(view.moves, event);
    if (situation.version !== view.version + 1 || moves.length !== situation.ply) {
      this.connection.watchAgain(this.id);
      return;
    }
    const next = { ...view, ...situation, moves };
    this.view = next;
    if (this.isToBeRated) {
      this.later(RATED_TIMEOUT_MS, () => {
        if (this.isToBeRated) this.connection.watchAgain(this.id);
      });
    }
    if (event.kind === 'moved') this.refused = null;
    this.judgePending(next);
    this.listeners.onevent?.(event, next);
  }

  /** Compares the move on its way with what is true now. */
  private judgePending(view: GameView): void {
    const { pending } = this;
    if (pending === null) return;
    const played = view.moves[pending.ply];
    if (played === pending.move) this.forgetPending();
    else if (played !== undefined || pending.ply > view.moves.length) this.overtaken('wrong_ply');
    else if (view.result !== null) this.overtaken('game_over');
    else if (sideOf(view.players, this.connection.player) !== view.turn) this.forgetPending();
    else this.send();
  }

  private overtaken(code: string): void {
    this.forgetPending();
    this.refused = { code, message: '', action: 'move' };
  }

  private send(): void {
    const { pending } = this;
    if (pending === null || this.inFlight || this.closed) return;
    this.inFlight = true;
    this.connection.act(this.id, { kind: 'move', ...pending }).then(
      (situation) => {
        this.inFlight = false;
        this.awaitVersion(situation);
      },
      (error: unknown) => {
        this.inFlight = false;
        // Without a connection it waits for the game, which comes when there is one again.
        if (!(error instanceof ServerRefused)) return;
        if (PASSING.has(error.code)) this.later(BUSY_RETRY_DELAY_MS, () => this.send());
        else {
          this.forgetPending();
          this.refuse(error, 'move');
          this.connection.watchAgain(this.id);
        }
      },
    );
  }

  /** It is done; its update should be here at once. */
  private awaitVersion(situation: Situation | null): void {
    if (situation === null) return;
    const isThere = () => (this.view?.version ?? 0) >= situation.version;
    this.newest = Math.max(this.newest, situation.version);
    if (isThere()) return;
    this.later(UPDATE_TIMEOUT_MS, () => {
      if (!isThere()) this.connection.watchAgain(this.id);
    });
  }

  private forgetPending(): void {
    this.pending = null;
    dropPending(this.id);
  }

  private refuse({ code, message }: ServerRefused, action: Action['kind']): void {
    this.refused = { code, message, action };
  }

  private notWatched(error: ServerRefused): void {
    if (PASSING.has(error.code))
      this.later(BUSY_RETRY_DELAY_MS, () => this.connection.watchAgain(this.id));
    else this.missing = error;
  }

  private later(delay: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, delay);
    this.timers.add(timer);
  }
}

function movesAfter(moves: string[], event: GameEvent): string[] {
  if (event.kind === 'moved') return [...moves.slice(0, event.ply), event.move];
  return event.kind === 'taken_back' ? moves.slice(0, event.ply) : moves;
}
