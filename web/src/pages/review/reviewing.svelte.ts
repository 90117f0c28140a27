/**
 * A game being reviewed: what the engine says about it, and what is on the board: the game, a line
 * that would have been better, or a mistake that is tried again.
 */
import { type GameId, loadLook, plainId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { Board } from '$lib/board/board.svelte';
import { Session } from '$lib/board/session.svelte';
import { engine } from '$lib/engine';
import type { Review, ReviewedMove, ReviewProgress } from '$lib/engine/protocol';
import { outcomeWords } from '$lib/i18n/words';
import { rules } from '$lib/rules';
import { type LineMove, type Side } from '$lib/rules/protocol';
import { play as playSound } from '$lib/sound/sound';
import { Stopped } from '$lib/worker/client';
import { m } from '$messages';
import { effort, errorsOf, judge } from './judge';
import { isAbout, loadReview, saveReview, type Subject } from './kept';

/** Milliseconds for a try, and to see what is wrong with it. */
const TRY_TIME_MS = 700;
const WRONG_MOVE_SHOWN_MS = 1900;

/** What is on the board besides the game itself. */
export type Aside =
  | { kind: 'line'; of: ReviewedMove }
  | { kind: 'try'; of: ReviewedMove; message: string; state: 'yours' | 'busy' | 'wrong' | 'found' };

export class Reviewing {
  readonly game: GameId;
  readonly board: Board;
  readonly session: Session;
  review = $state.raw<Review | undefined>();
  progress = $state.raw<ReviewProgress | null>(null);
  stopped = $state(false);
  failure = $state.raw<unknown>();
  kept = $state(true);
  found = $state.raw<number[]>([]);
  aside = $state.raw<Aside | null>(null);
  private line: LineMove[] = [];
  private closed = false;

  private constructor(
    readonly subject: Subject,
    game: GameId,
    board: (self: Reviewing) => Board,
  ) {
    this.game = game;
    this.board = board(this);
    this.session = new Session(rules, this.board);
  }

  static async open(subject: Subject): Promise<Reviewing> {
    const game = plainId(subject.game);
    if (game === undefined) throw new Error(m.review_unknown());
    if (subject.moves.length === 0) throw new Error(m.review_empty());
    const look = await loadLook(game);
    const reviewing = new Reviewing(subject, game, (self) => {
      const onmove = (move: string) => void self.attempt(move);
      return new Board({ look, rules, onmove });
    });
    await reviewing.session.open(subject.game, subject.moves, subject.start);
    const [own] = subject.own;
    if (own !== undefined && subject.own.length === 1) reviewing.board.seat(own);
    reviewing.line = reviewing.session.line;
    const kept = loadReview(subject.id);
    if (kept?.review && isAbout(kept, subject)) {
      reviewing.review = kept.review;
      reviewing.found = kept.found;
    } else void reviewing.begin(false);
    return reviewing;
  }

  close(): void {
    this.closed = true;
    engine.stop();
  }

  /** Lets the engine go through the game. */
  async begin(closely: boolean): Promise<void> {
    await this.toGame();
    this.review = undefined;
    this.stopped = false;
    this.failure = undefined;
    this.progress = { judged: 0, positions: this.subject.moves.length + 1 };
    const { game, start, moves } = this.subject;
    const limits = { time: effort(moves.length, closely) };
    const question = { game, moves, limits, ...(start === undefined ? {} : { start }) };
    try {
      const review = await engine.ask('review', question, (now) => (this.progress = now));
      if (this.closed) return;
      this.review = review;
      this.found = [];
      this.keep();
      announce(m.review_ready());
    } catch (error) {
      if (error instanceof Stopped) this.stopped = true;
      else this.failure = error;
    } finally {
      this.progress = null;
    }
  }

  stop(): void {
    engine.stop();
  }

  get errors(): ReviewedMove[] {
    return this.review ? errorsOf(this.review) : [];
  }

  isOwn(side: Side): boolean {
    return this.subject.own.includes(side);
  }

  /** Own mistakes for which nothing better was found yet. */
  get open(): ReviewedMove[] {
    return this.errors.filter(({ ply, side }) => this.isOwn(side) && !this.found.includes(ply));
  }

  /** Shows the game after some moves; whatever else was on the board is left. */
  async toGame(ply?: number): Promise<void> {
    const { aside } = this;
    this.aside = null;
    this.board.canMove = false;
    if (aside?.kind === 'try') engine.stop();
    this.session.line = this.line;
    const back = aside ? aside.of.ply + 1 : this.session.ply;
    await this.session.show(ply ?? back);
  }

  /** Shows the line that would have been better. */
  async showBetter(of: ReviewedMove): Promise<void> {
    const { game, start, moves } = this.subject;
    const line = await rules('line', {
      game,
      moves: [...moves.slice(0, of.ply), ...of.best],
      ...(start === undefined ? {} : { position: start }),
    });
    if (this.aside?.kind === 'try') engine.stop();
    this.board.canMove = false;
    this.aside = { kind: 'line', of };
    this.session.line = line.line;
    await this.session.show(of.ply);
    await this.session.show(of.ply + 1);
  }

  /** The position of a mistake, to be played better. */
  async tryAgain(of: ReviewedMove): Promise<void> {
    this.session.line = this.line;
    this.aside = { kind: 'try', of, message: '', state: 'yours' };
    await this.session.show(of.ply);
    this.board.canMove = true;
  }

  /** A move instead of the mistake. */
  async attempt(move: string): Promise<void> {
    const { aside } = this;
    if (aside?.kind !== 'try' || aside.state === 'busy' || aside.state === 'found') return;
    const { of } = aside;
    const tell = (state: 'busy' | 'wrong' | 'found' | 'yours', message: string) => {
      this.aside = { kind: 'try', of, state, message };
      announce(message);
    };
    if (move === of.move) {
      this.board.cancel();
      tell('wrong', m.review_try_same());
      return;
    }
    this.board.canMove = false;
    tell('busy', m.review_checking());
    const stale = () => this.closed || this.aside?.kind !== 'try' || this.aside.of !== of;
    try {
      const { game, position } = this.session;
      const played = await rules('play', { game, position, move });
      if (stale()) return;
      this.board.show(played.state, played.steps);
      playSound('move');
      const { outcome } = played.state;
      const isWon = outcome?.winner === of.side;
      if (isWon || move === of.best[0]) {
        this.succeed(of);
        tell('found', isWon ? m.review_try_won({ move }) : m.review_try_best({ move }));
        return;
      }
      let wrong: string;
      if (outcome) {
        wrong = m.review_try_over({ move, outcome: outcomeWords(this.game, outcome) });
      } else {
        const after = played.state.position;
        const limits = { time: TRY_TIME_MS, depth: 200 };
        const thought = await engine.ask('think', { game, position: after, limits });
        if (stale()) return;
        const [best] = thought.lines;
        const attempt = best ? judge(of.before.mover, best.score) : ({ kind: 'good' } as const);
        if (attempt.kind === 'good') {
          this.succeed(of);
          tell('found', m.review_try_good({ move, best: of.best[0] ?? '' }));
          return;
        }
        const reply = best?.moves[0] ?? '';
        wrong =
          attempt.kind === 'lost'
            ? m.review_try_lost({ move, reply })
            : m.review_try_bad({ move, reply, count: attempt.cost });
        const answered = await rules('play', { game, position: after, move: reply });
        if (stale()) return;
        this.board.show(answered.state, answered.steps);
      }
      tell('busy', wrong);
      playSound('refuse');
      await new Promise((resolve) => setTimeout(resolve, WRONG_MOVE_SHOWN_MS));
      if (stale()) return;
      await this.session.show(of.ply);
      tell('wrong', wrong);
      this.board.canMove = true;
    } catch (error) {
      if (error instanceof Stopped) return;
      this.aside = null;
      this.failure = error;
    }
  }

  private succeed(of: ReviewedMove): void {
    playSound('end');
    if (!this.found.includes(of.ply)) this.found = [...this.found, of.ply];
    this.keep();
  }

  private keep(): void {
    const { review, subject, found } = this;
    if (review) this.kept = saveReview({ version: 1, subject, review, found });
  }
}
