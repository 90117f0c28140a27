/**
 * An attempt at a step: the board, the progress, and the reply to each move. A legal move that is
 * not the one is shown, explained and put back.
 */
import { loadLook, plainId } from '$games/index';
import { Board } from '$lib/board/board.svelte';
import type { AskRules } from '$lib/rules';
import { type State, type Step } from '$lib/rules/protocol';
import { play as playSound } from '$lib/sound/sound';
import { reached } from './goal';
import type { Lesson, LessonStep, Turn } from './lesson';

/** How long a move that is not the one stays on the board, and a good one before its reply. */
const WRONG_MOVE_SHOWN_MS = 1100;
const REPLY_DELAY_MS = 700;

export type Phase = 'asking' | 'wrong' | 'waiting' | 'done';

export class Attempt {
  phase = $state<Phase>('asking');
  /** What went wrong outside the lesson, such as a worker that died. */
  error = $state.raw<unknown>();
  /** The clicks of a move that does what is asked for, if they were asked for. */
  shown = $state.raw<Step[]>([]);
  private turn = $state(0);
  private closed = false;

  private constructor(
    readonly step: LessonStep,
    readonly board: Board,
    private readonly owners: Lesson['owners'],
    private readonly rules: AskRules,
    private readonly ondone: () => void,
  ) {}

  static async begin(
    { owners }: Lesson,
    step: LessonStep,
    rules: AskRules,
    ondone: () => void,
  ): Promise<Attempt> {
    const id = plainId(step.game);
    if (id === undefined) throw new Error(`no game ${step.game}`);
    const { game, position } = step;
    const [look, state] = await Promise.all([loadLook(id), rules('state', { game, position })]);
    const board = new Board({ look, rules, onmove: (move) => void attempt.tryMove(move) });
    const attempt = new Attempt(step, board, owners, rules, ondone);
    board.show(state);
    board.canMove = true;
    return attempt;
  }

  /** Puts the position of the step back. */
  async restart(): Promise<void> {
    const { game, position } = this.step;
    await this.guarded(async () => {
      const state = await this.rules('state', { game, position });
      this.turn = 0;
      this.shown = [];
      this.ask(state);
      this.phase = 'asking';
    });
  }

  /** Finds a move that does what is asked for, to be shown click by click. */
  async showMove(): Promise<void> {
    const { state } = this.board;
    const turn = this.step.turns[this.turn];
    if (state === undefined || turn === undefined) return;
    await this.guarded(async () => {
      const move = await this.goodMove(state, turn);
      if (move === undefined || state !== this.board.state) return;
      const { game, position } = state;
      const steps = await this.rules('steps', { game, position, move });
      this.board.cancel();
      this.shown = steps ?? [];
    });
  }

  close(): void {
    this.closed = true;
  }

  private async goodMove(state: State, { goal }: Turn): Promise<string | undefined> {
    const { game, position } = state;
    const legal = goal.moves ?? (await this.rules('moves', { game, position }));
    for (const move of legal) {
      const played = await this.rules('play', { game, position, move });
      if (reached(goal, this.owners, state, played)) return move;
    }
    return undefined;
  }

  private async tryMove(move: string): Promise<void> {
    const before = this.board.state;
    const turn = this.step.turns[this.turn];
    if (before === undefined || turn === undefined) return;
    this.board.canMove = false;
    this.shown = [];
    await this.guarded(async () => {
      const { game, position } = before;
      const played = await this.rules('play', { game, position, move });
      this.board.show(played.state, played.steps);
      if (!reached(turn.goal, this.owners, before, played)) {
        playSound('refuse');
        this.phase = 'wrong';
        await pause(WRONG_MOVE_SHOWN_MS);
        this.ask(before);
        return;
      }
      playSound(played.state.outcome ? 'end' : 'move');
      if (turn.reply === undefined) this.finish();
      else await this.reply(played.state, turn.reply);
    });
  }

  private async reply(after: State, move: string): Promise<void> {
    this.phase = 'waiting';
    await pause(REPLY_DELAY_MS);
    const { game, position } = after;
    const played = await this.rules('play', { game, position, move });
    if (this.closed) return;
    this.board.show(played.state, played.steps);
    playSound('move');
    this.turn += 1;
    this.phase = 'asking';
    this.board.canMove = true;
  }

  private finish(): void {
    this.turn += 1;
    this.phase = 'done';
    if (!this.closed) this.ondone();
  }

  private ask(state: State): void {
    this.board.show(state);
    this.board.canMove = true;
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.error = error;
    }
  }
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
