/**
 * A puzzle on the board: which moves are right, what is answered, what was wrong and why. It knows
 * the puzzle's own moves; the rules play them, and the engine refutes the wrong ones.
 */
import { type GameId, loadLook, plainId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { Board } from '$lib/board/board.svelte';
import type { Target } from '$lib/board/look';
import { Session } from '$lib/board/session.svelte';
import { engine } from '$lib/engine';
import { outcomeWords } from '$lib/i18n/words';
import { rules } from '$lib/rules';
import { type Side, type Step } from '$lib/rules/protocol';
import { play as playSound } from '$lib/sound/sound';
import { m } from '$messages';
import type { Puzzle } from './data';

/** Milliseconds: before the opponent answers, for the engine's refutation, and to see it. */
const REPLY_DELAY_MS = 500;
const REFUTE_TIME_MS = 500;
const WRONG_MOVE_SHOWN_MS = 1800;

/** What people wait for is their turn, an answer, a refutation; in the end it is solved or shown. */
type Phase = 'yours' | 'busy' | 'solved' | 'shown';

export interface Events {
  /** With the moves that solved it, without the replies. */
  onsolved: (how: 'clean' | 'helped', moves: string[]) => void;
  onmiss: () => void;
}

export class Solver {
  readonly game: GameId;
  readonly board: Board;
  readonly session: Session;
  /** Whose puzzle it is. */
  side: Side = 'first';
  phase = $state<Phase>('yours');
  /** What to say about the last move. */
  message = $state('');
  /** Whether the message is about a wrong move. */
  isWrong = $state(false);
  /** How much of the move was given away: nothing, where it begins, all of it. */
  hint = $state<0 | 1 | 2>(0);
  private turn = 0;
  private readonly found: string[] = [];
  private missed = false;
  private helped = false;
  private closed = false;

  private constructor(
    readonly puzzle: Puzzle,
    game: GameId,
    private readonly events: Events,
    board: (self: Solver) => Board,
  ) {
    this.game = game;
    this.board = board(this);
    this.session = new Session(rules, this.board);
  }

  static async open(puzzle: Puzzle, events: Events): Promise<Solver> {
    const game = plainId(puzzle.game);
    if (game === undefined) throw new Error(m.puzzles_unknown());
    const look = await loadLook(game);
    const solver = new Solver(puzzle, game, events, (self) => {
      const onmove = (move: string) => void self.move(move);
      return new Board({ look, rules, onmove });
    });
    await solver.session.open(puzzle.game, [], puzzle.position);
    solver.side = solver.session.side ?? 'first';
    solver.board.canMove = true;
    return solver;
  }

  close(): void {
    this.closed = true;
    engine.stop();
  }

  get isOver(): boolean {
    return this.phase === 'solved' || this.phase === 'shown';
  }

  /** All moves of the solution, and how the game may continue after them. */
  get solution(): string[] {
    const { turns, rest } = this.puzzle;
    const own = turns.flatMap(({ accepted, reply }) => [accepted[0], reply]);
    return [...own.filter((move) => move !== undefined), ...(rest ?? [])];
  }

  async move(move: string): Promise<void> {
    const turn = this.puzzle.turns[this.turn];
    if (this.phase !== 'yours' || turn === undefined) return;
    this.phase = 'busy';
    this.board.canMove = false;
    const right = turn.accepted.includes(move);
    await this.session.play(move);
    playSound('move');
    if (this.closed) return;
    if (right) this.found.push(move);
    if (!right) await this.refute();
    else if (turn.reply === undefined) await this.finish();
    else await this.answer(turn.reply);
  }

  /** The opponent's reply to a right move. */
  private async answer(reply: string): Promise<void> {
    this.say(m.puzzles_right());
    await pause(REPLY_DELAY_MS);
    if (this.closed) return;
    await this.session.play(reply);
    playSound('move');
    this.turn += 1;
    this.hint = 0;
    this.yourTurn();
    this.say(m.puzzles_go_on({ reply }));
  }

  /** Shows what is wrong with a move, and takes it back. */
  private async refute(): Promise<void> {
    const ply = this.session.ply - 1;
    if (!this.missed) this.events.onmiss();
    this.missed = true;
    const { outcome } = this.board;
    if (outcome !== null) {
      this.say(m.puzzles_wrong_outcome({ outcome: outcomeWords(this.game, outcome) }), true);
    } else {
      this.say(m.puzzles_wrong(), true);
      const { game, position } = this.session;
      const limits = { time: REFUTE_TIME_MS, depth: 60 };
      const thought = await engine.ask('think', { game, position, limits }).catch(() => null);
      const reply = thought?.lines[0]?.moves[0];
      if (this.closed) return;
      if (reply !== undefined) {
        await this.session.play(reply);
        this.say(this.refutation(reply), true);
      }
    }
    playSound('refuse');
    await pause(WRONG_MOVE_SHOWN_MS);
    if (this.closed || this.phase !== 'busy') return;
    await this.session.truncate(ply);
    this.yourTurn();
    await this.markHint();
  }

  /** The reply to a wrong move: it may still win, but not in the turns that are left. */
  private refutation(reply: string): string {
    const { goal } = this.puzzle;
    if (goal === 'win' || 'hold' in goal) return m.puzzles_wrong_reply({ reply });
    const turns = goal['win-within'] - this.turn;
    return turns === 1
      ? m.puzzles_wrong_at_once({ reply })
      : m.puzzles_wrong_within({ reply, turns });
  }

  private async finish(): Promise<void> {
    const how = this.missed || this.helped ? 'helped' : 'clean';
    const { outcome } = this.board;
    this.phase = 'solved';
    this.events.onsolved(how, this.found);
    playSound('end');
    this.say(
      outcome !== null
        ? m.puzzles_done_end({ outcome: outcomeWords(this.game, outcome) })
        : typeof this.puzzle.goal === 'object' && 'hold' in this.puzzle.goal
          ? m.puzzles_done_hold()
          : m.puzzles_done_more(),
    );
    // A game that is over needs no sequel, and may have ended otherwise than in the solution.
    if (outcome === null) await this.layOut(this.session.ply);
  }

  /** The first hint marks where the move begins, the second the whole of it. */
  async giveHint(): Promise<void> {
    if (this.phase !== 'yours') return;
    this.helped = true;
    this.hint = this.hint === 0 ? 1 : 2;
    await this.markHint();
  }

  private async markHint(): Promise<void> {
    const move = this.puzzle.turns[this.turn]?.accepted[0];
    if (this.hint === 0 || move === undefined) return;
    const { game, position } = this.session;
    const steps = (await rules('steps', { game, position, move })) ?? [];
    const [first] = steps;
    if (first === undefined) return;
    if (this.hint === 2) {
      this.board.advised = steps;
      this.say(m.puzzles_hint_move({ move }));
    } else if (steps.length > 1) {
      this.board.advised = [first];
      const name = this.board.targetAt(first)?.spot.name ?? '';
      this.say(m.puzzles_hint_piece({ cell: name }));
    } else {
      // A move of one click would be given away: the places around it are marked, too.
      this.board.advised = around(first, this.board.layout.targets, this.board.targets);
      this.say(m.puzzles_hint_area());
    }
  }

  /** Gives up: the whole solution, to be stepped through. */
  async show(): Promise<void> {
    if (this.isOver) return;
    if (!this.missed) this.events.onmiss();
    this.missed = true;
    this.phase = 'shown';
    this.board.canMove = false;
    engine.stop();
    this.say(m.puzzles_shown());
    await this.layOut(0);
    await pause(REPLY_DELAY_MS);
    if (!this.closed && this.session.ply === 0) await this.session.show(1);
  }

  /** The solution and what follows as a line, from which some moves are played. */
  private async layOut(ply: number): Promise<void> {
    const { game, position } = this.puzzle;
    const line = await rules('line', { game, position, moves: this.solution });
    if (this.closed) return;
    this.session.line = line.line;
    if (ply !== this.session.ply) await this.session.show(ply);
  }

  private yourTurn(): void {
    this.phase = 'yours';
    this.board.canMove = true;
  }

  private say(message: string, isWrong = false): void {
    this.message = message;
    this.isWrong = isWrong;
    announce(message);
  }
}

/** A click and the four nearest that are possible. */
export function around(step: Step, targets: readonly Target[], possible: readonly Step[]): Step[] {
  const placed = new Map(
    targets.map((target) => [`${target.step.cell}/${target.step.level}`, target]),
  );
  const at = (one: Step) => placed.get(`${one.cell}/${one.level}`);
  const middle = at(step);
  if (middle === undefined) return [step];
  const distance = (one: Step) => {
    const target = at(one);
    return target ? Math.hypot(target.x - middle.x, target.y - middle.y) : Infinity;
  };
  return [...possible].sort((a, b) => distance(a) - distance(b)).slice(0, 5);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
