/**
 * A position that is being set up: pieces are put on a board that may be impossible at any moment.
 * What is possible, and why not, the rules say; the setup is a text, on the board and in the field
 * alike.
 */
import { Board, type BoardOptions } from '$lib/board/board.svelte';
import type { AskRules } from '$lib/rules';
import { failureWords } from '$lib/rules/failures';
import type { Change, Edited, Step } from '$lib/rules/protocol';

/** A board that reports every click, whatever the rules of moving say. */
class SetupBoard extends Board {
  constructor(
    options: BoardOptions,
    private readonly onput: (step: Step) => void,
  ) {
    super(options);
  }

  override async click(step: Step): Promise<void> {
    this.cursor = this.targetAt(step)?.step ?? this.cursor;
    this.onput(step);
  }
}

export class Editing {
  readonly board: Board;
  edited = $state.raw<Edited | undefined>();
  /** What stands in the field. */
  text = $state('');
  /** Why the text in the field cannot be read. */
  unreadable = $state('');
  /** The piece in hand, by its number; `null` takes pieces away. */
  piece = $state<number | null>(0);
  /** Whether the last click changed nothing. */
  inVain = $state(false);
  private age = 0;

  constructor(
    private readonly rules: AskRules,
    look: BoardOptions['look'],
  ) {
    this.board = new SetupBoard({ look, rules }, (step) => void this.put(step));
    this.board.canMove = true;
  }

  /** Begins with a text, or with the start of a game. Fails if the text cannot be read. */
  async open(game: string, setup?: string): Promise<void> {
    this.show(await this.rules('edit', setup === undefined ? { game } : { game, setup }));
  }

  async put(step: Step): Promise<void> {
    const before = this.edited?.setup;
    await this.change({ put: { cell: step.cell, piece: this.piece } });
    this.inVain = this.edited?.setup === before;
  }

  async change(...changes: Change[]): Promise<void> {
    const { edited } = this;
    if (edited === undefined) return;
    const age = ++this.age;
    const { game, setup } = edited;
    const next = await this.rules('edit', { game, setup, changes });
    if (age === this.age) this.show(next);
  }

  /** What was typed becomes the board, as soon as it can be read. */
  async type(text: string): Promise<void> {
    this.text = text;
    const game = this.edited?.game;
    if (game === undefined) return;
    const age = ++this.age;
    try {
      const edited = await this.rules('edit', { game, setup: text.trim() });
      if (age === this.age) this.show(edited, text);
    } catch (error) {
      if (age !== this.age) return;
      this.unreadable = failureWords(error);
    }
  }

  private show(edited: Edited, text = edited.setup): void {
    this.edited = edited;
    this.text = text;
    this.unreadable = '';
    this.inVain = false;
    const { game, setup, side, view } = edited;
    const choices = { next: [], roles: [], complete: null };
    this.board.show({ game, position: setup, side, outcome: null, moves: 0, view, choices });
  }
}
