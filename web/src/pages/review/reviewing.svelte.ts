/**
 * A game being reviewed: what is said about it, and what is on the board: the game, a line that
 * shows what was better or what a mistake allows, or a mistake that is tried again.
 */
import { type GameId, GAMES, loadLook, plainId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { Board } from '$lib/board/board.svelte';
import { Session } from '$lib/board/session.svelte';
import type { Review } from '$lib/engine/protocol';
import { outcomeWords, sideName } from '$lib/i18n/words';
import { rules } from '$lib/rules';
import { type LineMove, otherSide, type Side } from '$lib/rules/protocol';
import { play as playSound } from '$lib/sound/sound';
import { Stopped } from '$lib/worker/client';
import { m } from '$messages';
import { type Calibration, loadCalibration } from '$lib/review/accuracy';
import { certainMove, type JudgedMove } from '$lib/review/exact';
import { effort, errorsOf, isError, judge, negated } from '$lib/review/judge';
import { GameJudge, type Told } from '$lib/review/judging';
import { isAbout, loadReview, saveReview, type Subject } from './kept';
import { reasonWords } from './words';

/** Milliseconds for each position of a try or a line, and to see what is wrong with a try. */
const TRY_TIME_MS = 400;
const LINE_TIME_MS = 150;
const WRONG_MOVE_SHOWN_MS = 1900;

/** What is on the board besides the game itself. */
export type Aside =
  | {
      kind: 'line';
      of: JudgedMove;
      /** How many moves of the game come before it. */
      leaves: number;
      what: 'better' | 'allowed';
      moves: string[];
      /** What is said about the moves of the line, as far as it is known. */
      judged: JudgedMove[];
    }
  | { kind: 'try'; of: JudgedMove; message: string; state: 'yours' | 'busy' | 'wrong' | 'found' };

/** What the graph and the signs of the moves are about. */
export interface Shown {
  /** How probable it is that the first player wins, by ply, where it is known. */
  curve: (number | undefined)[];
  moves: readonly JudgedMove[];
  /** Where a line leaves the game, if one is shown. */
  leaves?: number;
}

export class Reviewing {
  readonly game: GameId;
  readonly board: Board;
  readonly session: Session;
  review = $state.raw<Review | undefined>();
  told = $state.raw<Told | null>(null);
  stopped = $state(false);
  failure = $state.raw<unknown>();
  kept = $state(true);
  found = $state.raw<number[]>([]);
  aside = $state.raw<Aside | null>(null);
  calibration = $state.raw<Calibration | undefined>();
  private readonly judge = new GameJudge();
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

  /** Opens a game with the review that was made elsewhere, or makes one. */
  static async open(subject: Subject, given?: Review): Promise<Reviewing> {
    const game = plainId(subject.game);
    if (game === undefined) throw new Error(m.review_unknown());
    if (subject.moves.length === 0) throw new Error(m.review_empty());
    const [look, calibration] = await Promise.all([loadLook(game), loadCalibration(subject.game)]);
    const reviewing = new Reviewing(subject, game, (self) => {
      const onmove = (move: string) => void self.attempt(move);
      return new Board({ look, rules, onmove });
    });
    reviewing.calibration = calibration;
    await reviewing.session.open(subject.game, subject.moves, subject.start);
    const [own] = subject.own;
    if (own !== undefined && subject.own.length === 1) reviewing.board.seat(own);
    reviewing.line = reviewing.session.line;
    const kept = loadReview(subject.id);
    const isCurrent = kept?.review && isAbout(kept, subject) && reviewing.isAsCertain(kept.review);
    if (given) {
      reviewing.review = given;
      if (kept && isAbout(kept, subject)) reviewing.found = kept.found;
      if (!reviewing.isAsCertain(given)) void reviewing.makeCertain();
    } else if (kept?.review && isCurrent) {
      reviewing.review = kept.review;
      reviewing.found = kept.found;
    } else void reviewing.begin(false);
    return reviewing;
  }

  /** Whether a review says as much for certain as is known now. */
  private isAsCertain({ moves }: Review): boolean {
    return !GAMES[this.game].isSolved || moves.every((move) => 'certain' in move);
  }

  /** What is certain takes the place of what somebody thinks, once it is known. */
  private async makeCertain(): Promise<void> {
    const { game, start, moves } = this.subject;
    try {
      const review = await this.judge.review(
        { game, start, moves },
        effort(moves.length, false),
        () => undefined,
      );
      if (!this.closed && this.isAsCertain(review)) this.review = review;
    } catch (error) {
      // The review that is there is good enough.
      if (!(error instanceof Stopped)) console.warn(error);
    }
  }

  close(): void {
    this.closed = true;
    this.judge.close();
  }

  /** Goes through the game. */
  async begin(closely: boolean): Promise<void> {
    await this.toGame();
    this.review = undefined;
    this.stopped = false;
    this.failure = undefined;
    const { game, start, moves } = this.subject;
    this.told = { judged: 0, positions: moves.length + 1, moves: [] };
    try {
      const time = effort(moves.length, closely);
      const tell = (told: Told) => (this.told = told);
      const review = await this.judge.review({ game, start, moves }, time, tell);
      if (this.closed) return;
      this.review = review;
      this.found = [];
      this.keep();
      announce(m.review_ready());
    } catch (error) {
      if (error instanceof Stopped) this.stopped = true;
      else this.failure = error;
    } finally {
      this.told = null;
    }
  }

  stop(): void {
    this.judge.stop();
  }

  /** The moves that are judged, all of them or those that are by now. */
  get moves(): readonly JudgedMove[] {
    return this.review?.moves ?? this.told?.moves ?? [];
  }

  /** What the graph and the signs are about: the game, or a line with its own. */
  get shown(): Shown {
    const { aside } = this;
    const plies = this.subject.moves.length;
    const game = curveOf(this.moves, plies);
    if (aside?.kind !== 'line') return { curve: game, moves: this.moves };
    const { leaves, judged } = aside;
    const before = this.moves.filter(({ ply }) => ply < leaves);
    const line = curveOf(judged, leaves + aside.moves.length).slice(leaves + 1);
    return {
      curve: [...game.slice(0, leaves + 1), ...line],
      moves: [...before, ...judged],
      leaves,
    };
  }

  get errors(): JudgedMove[] {
    return errorsOf({ moves: [...this.moves] });
  }

  isOwn(side: Side): boolean {
    return this.subject.own.includes(side);
  }

  /** Own mistakes for which nothing better was found yet. */
  get open(): JudgedMove[] {
    return this.errors.filter(({ ply, side }) => this.isOwn(side) && !this.found.includes(ply));
  }

  /** Shows the game after some moves; whatever else was on the board is left. */
  async toGame(ply?: number): Promise<void> {
    const { aside } = this;
    this.aside = null;
    this.board.canMove = false;
    if (aside) this.judge.stop();
    this.session.line = this.line;
    const back = aside ? aside.of.ply + 1 : this.session.ply;
    await this.session.show(ply ?? back);
  }

  /** Shows the line that would have been better. */
  showBetter = (of: JudgedMove): Promise<void> => this.showLine(of, 'better');

  /** Shows how the other player makes use of a mistake. */
  showAllowed = (of: JudgedMove): Promise<void> => this.showLine(of, 'allowed');

  private async showLine(of: JudgedMove, what: 'better' | 'allowed'): Promise<void> {
    const { game, start, moves } = this.subject;
    const leaves = what === 'better' ? of.ply : of.ply + 1;
    const line = what === 'better' ? of.best : of.expected;
    const played = await rules('line', {
      game,
      moves: [...moves.slice(0, leaves), ...line],
      ...(start === undefined ? {} : { position: start }),
    });
    if (this.aside) this.judge.stop();
    this.board.canMove = false;
    const aside: Aside = { kind: 'line', of, leaves, what, moves: line, judged: [] };
    this.aside = aside;
    this.session.line = played.line;
    await this.session.show(leaves);
    await this.session.show(leaves + 1);
    void this.judgeLine(aside);
  }

  /** A line has signs and values of its own. */
  private async judgeLine(aside: Aside & { kind: 'line' }): Promise<void> {
    const { game } = this.subject;
    const { leaves, moves } = aside;
    const start = this.session.positionAt(leaves);
    const place = (judged: readonly JudgedMove[]) =>
      judged.map((move) => ({ ...move, ply: move.ply + leaves }));
    const tell = (judged: readonly JudgedMove[]) => {
      const now = this.aside;
      if (this.closed || now?.kind !== 'line' || now.of !== aside.of || now.what !== aside.what)
        return;
      this.aside = { ...now, judged: place(judged) };
    };
    try {
      const review = await this.judge.review({ game, start, moves }, LINE_TIME_MS, (told) =>
        tell(told.moves),
      );
      tell(review.moves);
    } catch (error) {
      // Without values the line can still be looked at.
      if (!(error instanceof Stopped)) tell([]);
    }
  }

  /** The position of a mistake, to be played better. */
  async tryAgain(of: JudgedMove): Promise<void> {
    if (this.aside) this.judge.stop();
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
        const tried = await this.judgeTry(of, position, move);
        if (stale()) return;
        const attempt = judge(of.before.mover, negated(tried.after.mover));
        const isSooner = tried.certain !== undefined && isError(tried);
        if (attempt.kind === 'good' && !isSooner) {
          this.succeed(of);
          tell('found', m.review_try_good({ move, best: of.best[0] ?? '' }));
          return;
        }
        const reply = tried.expected[0] ?? '';
        const side = sideName(this.game)(otherSide(of.side));
        const verdict =
          attempt.kind === 'lost'
            ? m.review_try_lost({ move, reply, side })
            : attempt.kind === 'bad'
              ? m.review_try_bad({ move, reply, side, count: attempt.cost })
              : m.review_try_sooner({ move, reply, side });
        const reason = await reasonWords(this.game, tried);
        if (stale()) return;
        wrong = reason === '' ? verdict : `${verdict} ${reason}`;
        if (reply !== '') {
          const after = played.state.position;
          const answered = await rules('play', { game, position: after, move: reply });
          if (stale()) return;
          this.board.show(answered.state, answered.steps);
        }
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

  /** What a move is worth that is tried instead of a mistake. */
  private async judgeTry(of: JudgedMove, position: string, move: string): Promise<JudgedMove> {
    const { game } = this.subject;
    const known = await this.judge.known(game, position);
    if (known) {
      const tried = certainMove({ ...of, move }, known, null);
      const { state } = await rules('play', { game, position, move });
      return { ...tried, expected: await this.judge.line(game, state.position, undefined) };
    }
    const asked = { game, start: position, moves: [move] };
    const review = await this.judge.review(asked, TRY_TIME_MS, () => undefined);
    const [tried] = review.moves;
    if (tried === undefined) throw new Stopped('stopped');
    return tried;
  }

  private succeed(of: JudgedMove): void {
    playSound('end');
    if (!this.found.includes(of.ply)) this.found = [...this.found, of.ply];
    this.keep();
  }

  private keep(): void {
    const { review, subject, found } = this;
    if (review) this.kept = saveReview({ version: 1, subject, review, found });
  }
}

/** The values by ply that some moves of a game of so many plies tell. */
function curveOf(moves: readonly JudgedMove[], plies: number): (number | undefined)[] {
  const curve = new Array<number | undefined>(plies + 1).fill(undefined);
  for (const { ply, before, after } of moves) {
    curve[ply] = before.first.win_probability;
    curve[ply + 1] = after.first.win_probability;
  }
  return curve;
}
