/**
 * A game in this browser: its players, what the engine thinks about, what is saved. After everything
 * that happens `steer` compares what the engine should do with what it does; nothing else needs to
 * know that there is one.
 */
import { type GameId, GAMES, loadLook, plainId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { announceMove } from '$lib/board/announce-move';
import { Board } from '$lib/board/board.svelte';
import { type Clock, leftOf, type Running, stopped } from '$lib/clock/clock';
import { Session } from '$lib/board/session.svelte';
import { engine } from '$lib/engine';
import type { Score } from '$lib/engine/protocol';
import { outcomeWords } from '$lib/i18n/words';
import { rules } from '$lib/rules';
import { failureWords } from '$lib/rules/failures';
import { type Outcome, otherSide, type Side, sideIndex, type State } from '$lib/rules/protocol';
import { settings } from '$lib/settings/settings.svelte';
import { type Player, saveGame, type SavedGame } from '$lib/store/games';
import { Stopped } from '$lib/worker/client';
import { m } from '$messages';
import { type Danger, dangerOf } from './danger';
import { unsaved } from '$lib/store/begin';

/** Milliseconds that the strongest level thinks; the others stop by themselves long before. */
const TURN_TIME_MS = 2000;
const HINT_TIME_MS = 1000;
const ESTIMATE_TIME_MS = 8000;
/** How long a person sees at least that the engine thinks, however soon it has its move. */
const MIN_THINKING_SHOWN_MS = 450;
/** Up to this level, and with friends, the page warns of moves that lose at once. */
const MAX_WARNED_LEVEL = 5;
/** With a clock the engine takes this part of what it has left for a move, at most. */
const CLOCK_SHARE = 1 / 25;

export class LocalGame {
  readonly game: GameId;
  saved: SavedGame;
  session: Session;
  board: Board;
  thinking = $state(false);
  hint = $state<string | null>(null);
  /** The last refusal or failure, in words. */
  notice = $state('');
  /** Whether the browser keeps this game. */
  kept = $state(true);
  /** The value of the position shown, for the first player. */
  value = $state.raw<{ first: Score; side: Side } | null>(null);
  /** How the game ended by its players' decision. */
  decided = $state.raw<Outcome | null>(null);
  /** A move that loses at once, and waits until somebody says that it is meant. */
  danger = $state.raw<Danger | null>(null);
  /** The players' time, if it is limited, and whose runs. */
  clock = $state.raw<Clock | undefined>();
  running = $state.raw<Running | null>(null);
  private flag: ReturnType<typeof setTimeout> | undefined;
  private aim = '';
  private closed = false;
  /** Whether the board is turned for the person who plays. */
  private isSeatTurned = false;

  private constructor(saved: SavedGame, game: GameId, board: (self: LocalGame) => Board) {
    this.saved = saved;
    this.game = game;
    this.board = board(this);
    this.session = new Session(rules, this.board);
  }

  static async open(saved: SavedGame): Promise<LocalGame> {
    const game = plainId(saved.game);
    if (game === undefined) throw new Error(m.play_unknown());
    const look = await loadLook(game);
    const local = new LocalGame(saved, game, (self) => {
      const onmove = (move: string) => void self.propose(move);
      return new Board({ look, rules, onmove });
    });
    if (local.personSide) local.board.seat(local.personSide);
    local.isSeatTurned = local.board.turned;
    if (saved.turned !== undefined) local.board.turn(saved.turned);
    await local.session.open(saved.game, saved.moves, saved.start);
    if (saved.outcome && local.board.outcome === null) local.decided = saved.outcome;
    local.kept = !unsaved.has(saved.id);
    local.clock = saved.clock;
    local.steer();
    return local;
  }

  get outcome(): Outcome | null {
    return this.session.isAtEnd ? (this.board.outcome ?? this.decided) : null;
  }

  player(side: Side): Player {
    return this.saved.players[sideIndex(side)];
  }

  get isAgainstEngine(): boolean {
    return this.saved.players.some((player) => player.kind === 'engine');
  }

  /** The side of the person who plays against the engine. */
  get personSide(): Side | undefined {
    if (!this.isAgainstEngine) return undefined;
    return this.player('first').kind === 'person' ? 'first' : 'second';
  }

  /** The engine whose turn it is now. */
  get engineToMove(): (Player & { kind: 'engine' }) | undefined {
    const { side } = this.session;
    if (side === undefined || this.outcome !== null || !this.session.isAtEnd) return undefined;
    const player = this.player(side);
    return player.kind === 'engine' ? player : undefined;
  }

  /** A person has clicked a move. One that loses at once may need a second thought. */
  async propose(move: string): Promise<void> {
    if (this.warns) {
      // A second tap on the same move, while it is looked at.
      if (this.aim === 'danger') return;
      const { game, position } = this.session;
      // The engine has something else to do for a moment.
      this.aim = 'danger';
      this.board.canMove = false;
      const danger = await dangerOf(game, position, move).catch(() => null);
      this.aim = '';
      if (position !== this.session.position) {
        this.steer();
        return;
      }
      if (this.closed) return;
      if (danger !== null) {
        this.danger = danger;
        return;
      }
    }
    await this.move(move);
  }

  /** Whether it is fair to warn: among friends, and against low levels. */
  private get warns(): boolean {
    const engines = this.saved.players.flatMap((one) => (one.kind === 'engine' ? [one.level] : []));
    return settings.warnings && engines.every((level) => level <= MAX_WARNED_LEVEL);
  }

  /** Plays the move that was warned of, or lets the person choose another. */
  async settleDanger(isMeant: boolean): Promise<void> {
    const { danger } = this;
    this.danger = null;
    if (danger !== null && isMeant) await this.move(danger.move);
    else {
      this.board.cancel();
      this.steer();
    }
  }

  async move(move: string): Promise<void> {
    if (!this.session.isAtEnd || this.outcome !== null) return;
    const side = this.session.side;
    const before = this.board.tokens.length;
    try {
      const state = await this.session.play(move);
      if (side !== undefined) this.press(side);
      this.tell(side, state, before);
      const winner = state.outcome?.winner ?? null;
      this.celebrate(winner);
    } catch (error) {
      this.fail(error);
    }
    this.keep();
    this.steer();
  }

  /** The pieces of whoever won show it, unless it was the engine. */
  private celebrate(winner: Side | null): void {
    if (winner !== null && this.player(winner).kind === 'person') this.board.cheered = winner;
  }

  /** A player has moved and presses the clock. */
  private press(side: Side): void {
    const { clock, running } = this;
    if (clock === undefined) return;
    const run = running?.side === side ? running : { side, since: performance.now() };
    this.clock = stopped(clock, run, performance.now(), true);
    this.running = null;
  }

  /** Lets the clock of the side to move run, or of nobody. */
  private runClock(): void {
    clearTimeout(this.flag);
    const { clock, running } = this;
    if (clock === undefined) return;
    const side = this.outcome === null && this.isUnderWay ? this.sideToMove : undefined;
    if (running !== null && running.side !== side) {
      this.clock = stopped(clock, running, performance.now(), false);
      this.running = null;
    }
    if (side === undefined) return;
    this.running ??= { side, since: performance.now() };
    const left = leftOf(this.clock ?? clock, side, this.running, performance.now());
    this.flag = setTimeout(() => this.timeUp(side), left);
  }

  /** The clocks begin with the first move. */
  private get isUnderWay(): boolean {
    return this.session.line.length > 0 && this.decided === null;
  }

  /** The side to move at the end of the line, whatever is looked at. */
  private get sideToMove(): Side {
    const starts = this.startSide;
    return this.session.line.length % 2 === 0 ? starts : otherSide(starts);
  }

  private timeUp(loser: Side): void {
    if (this.closed || this.decided !== null) return;
    engine.stop();
    this.danger = null;
    const decided: Outcome = { winner: otherSide(loser), reason: 'time' };
    this.press(loser);
    this.decided = decided;
    announce(outcomeWords(this.game, decided));
    this.celebrate(decided.winner);
    this.keep();
    this.steer();
  }

  /** Takes back the last move of a person, and the answer to it. */
  async takeBack(): Promise<void> {
    if (this.decided) {
      // First the decision is taken back; the moves stay.
      this.decided = null;
    } else {
      const starts = this.startSide;
      const isEngines = (ply: number) =>
        this.player(ply % 2 === 0 ? starts : otherSide(starts)).kind === 'engine';
      let ply = this.session.line.length - 1;
      while (ply > 0 && isEngines(ply)) ply -= 1;
      if (ply < 0 || isEngines(ply)) return;
      engine.stop();
      await this.session.truncate(ply).catch((error: unknown) => this.fail(error));
    }
    this.keep();
    this.steer();
  }

  get canTakeBack(): boolean {
    if (this.decided) return true;
    const own = this.personSide === undefined || this.personSide === this.startSide ? 0 : 1;
    return this.session.line.length > own;
  }

  async goTo(ply: number): Promise<void> {
    await this.session.show(ply).catch((error: unknown) => this.fail(error));
    this.steer();
  }

  async showHint(): Promise<void> {
    const { game, position } = this.session;
    this.aim = 'hint';
    this.thinking = true;
    try {
      const limits = { time: HINT_TIME_MS, depth: 200 };
      const thought = await engine.ask('think', { game, position, limits });
      const move = thought.lines[0]?.moves[0];
      if (move === undefined || position !== this.session.position) return;
      const steps = await rules('steps', { game, position, move });
      this.board.advised = steps ?? [];
      this.hint = move;
      announce(m.play_hint_text({ move }));
    } catch (error) {
      this.fail(error);
    } finally {
      // Unless the turn has passed to the engine meanwhile, which has other things to do now.
      if (this.aim === 'hint') {
        this.thinking = false;
        this.aim = '';
        this.steer();
      }
    }
  }

  resign(): void {
    const loser = this.personSide ?? this.session.side;
    if (loser === undefined || this.outcome !== null) return;
    engine.stop();
    this.decided = { winner: otherSide(loser), reason: 'resigned' };
    this.danger = null;
    announce(outcomeWords(this.game, this.decided));
    this.keep();
    this.steer();
  }

  /** From whichever side the board is seen now, it will be the next time. */
  keepTurned(turned: boolean): void {
    if (turned === (this.saved.turned ?? this.isSeatTurned)) return;
    this.saved = { ...this.saved, turned };
    this.keep();
  }

  rename(name: string): void {
    if (name.trim() === '') return;
    this.saved = { ...this.saved, name: name.trim() };
    this.keep();
  }

  /** The game as a record, with the names of the players. */
  async record(name: (side: Side) => string): Promise<string> {
    const { game, start, moves } = this.session;
    const word = GAMES[this.game].recordSides;
    const tags: [string, string][] = [
      [word[0], name('first')],
      [word[1], name('second')],
      ['date', new Date(this.saved.created).toISOString().slice(0, 10)],
    ];
    const nodes = moves.map((move) => ({ move }));
    const { winner = null, reason } = this.decided ?? {};
    const end = reason === 'resigned' || reason === 'time' ? { end: { winner, reason } } : {};
    return rules('write', { game, start, tags, nodes, ...end });
  }

  close(): void {
    clearTimeout(this.flag);
    if (this.clock && this.running) {
      this.clock = stopped(this.clock, this.running, performance.now(), false);
      this.running = null;
      this.keep();
    }
    this.closed = true;
    engine.stop();
  }

  /** Lets the engine do what should be done now. */
  steer(): void {
    if (this.closed) return;
    this.runClock();
    const person = this.engineToMove === undefined;
    this.board.canMove = person && this.session.isAtEnd && this.outcome === null;
    const { position } = this.session;
    if (this.board.advised.length === 0) this.hint = null;
    if (!person) {
      this.want(`turn ${position}`, () => this.takeTurn());
    } else if (settings.bar && this.board.outcome === null) {
      this.want(`value ${position}`, () => this.estimate());
    } else if (this.aim !== 'hint') {
      this.want('', async () => undefined);
      if (!settings.bar) this.value = null;
    }
  }

  private want(aim: string, act: () => Promise<void>): void {
    const isTurn = aim.startsWith('turn');
    if (this.aim === 'danger') return;
    if (this.aim === aim || (this.aim === 'hint' && !isTurn)) return;
    this.aim = aim;
    engine.stop();
    this.thinking = false;
    if (aim !== '') void act();
  }

  private async takeTurn(): Promise<void> {
    const player = this.engineToMove;
    if (player === undefined) return;
    const { game, position } = this.session;
    this.thinking = true;
    try {
      const shown = new Promise((resolve) => setTimeout(resolve, MIN_THINKING_SHOWN_MS));
      const { level } = player;
      const question = {
        game,
        position,
        level,
        seed: this.saved.seed,
        limits: { time: this.turnTime },
      };
      const thought = await engine.ask('think', question);
      await shown;
      const move = thought.lines[0]?.moves[0];
      if (this.closed || this.aim !== `turn ${position}`) return;
      this.thinking = false;
      this.aim = '';
      if (move !== undefined) await this.move(move);
    } catch (error) {
      if (this.closed) return;
      if (error instanceof Stopped) {
        // Something else needed the engine for a moment, but it is still its turn.
        if (this.aim === `turn ${position}`) this.aim = '';
        this.steer();
        return;
      }
      this.thinking = false;
      // The worker is replaced with the next question; the turn is asked for again once.
      this.notice = m.play_engine_failed();
      this.aim = '';
      setTimeout(() => this.steer(), 1000);
    }
  }

  /** How long the engine may think, in milliseconds. */
  private get turnTime(): number {
    const { clock, running } = this;
    if (clock === undefined) return TURN_TIME_MS;
    const left = leftOf(clock, this.sideToMove, running, performance.now());
    return Math.round(Math.min(TURN_TIME_MS, Math.max(50, left * CLOCK_SHARE)));
  }

  private async estimate(): Promise<void> {
    const { game, position } = this.session;
    const tell = (thought: { side: Side; lines: { score: Score }[] }) => {
      const score = thought.lines[0]?.score;
      if (score && position === this.session.position) {
        this.value = { first: forFirst(score, thought.side), side: thought.side };
      }
    };
    try {
      const limits = { time: ESTIMATE_TIME_MS, depth: 200 };
      tell(await engine.ask('think', { game, position, limits }, tell));
    } catch (error) {
      if (!(error instanceof Stopped)) this.notice = m.play_engine_failed();
    }
  }

  private tell(side: Side | undefined, state: State, before: number): void {
    this.notice = '';
    const move = this.session.line.at(-1)?.move ?? '';
    const hasCaptured = this.board.tokens.length < before;
    announceMove(this.game, { side, move, state }, hasCaptured);
  }

  private keep(): void {
    const { outcome: known, ...rest } = this.saved;
    // Looking at an earlier position does not undo the end.
    const outcome = this.session.isAtEnd
      ? (this.board.outcome ?? this.decided)
      : (known ?? this.decided);
    this.saved = {
      ...rest,
      moves: this.session.moves,
      updated: Date.now(),
      ...(outcome === null ? {} : { outcome }),
      ...(this.clock === undefined ? {} : { clock: this.clock }),
    };
    this.kept = saveGame(this.saved);
    if (!this.kept) unsaved.set(this.saved.id, this.saved);
  }

  private fail(error: unknown): void {
    if (error instanceof Stopped) return;
    this.notice = failureWords(error);
  }

  private get startSide(): Side {
    const { side } = this.session;
    return side === undefined || this.session.ply % 2 === 0 ? (side ?? 'first') : otherSide(side);
  }
}

/** The same value from the first player's point of view. */
function forFirst(score: Score, side: Side): Score {
  if (side === 'first') return score;
  return {
    points: score.points === null ? null : -score.points,
    win_probability: 1 - score.win_probability,
    proven: score.proven === null ? null : score.proven === 'win' ? 'loss' : 'win',
    turns: score.turns,
  };
}
