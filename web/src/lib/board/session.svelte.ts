/**
 * A line of play with a place in it, shown on a board: play, take back, go anywhere. It holds
 * nothing but texts, so it survives the death of a worker and can be saved at any time.
 */
import type { AskRules } from '$lib/rules';
import type { LineMove, Side, State, Step } from '$lib/rules/protocol';
import type { Board } from './board.svelte';

export class Session {
  /** The game with its options, such as `palisade:7`. */
  game = $state('');
  /** The text of the first position. */
  start = $state('');
  line = $state.raw<LineMove[]>([]);
  /** How many moves of the line are played now. */
  ply = $state(0);

  constructor(
    private readonly rules: AskRules,
    readonly board: Board,
  ) {}

  /** Begins with a position and moves, and shows the end of them. Fails if they are not legal. */
  async open(game: string, moves: string[] = [], start?: string): Promise<void> {
    const line = await this.rules('line', {
      game,
      moves,
      ...(start === undefined ? {} : { position: start }),
    });
    this.game = line.game;
    this.start = line.start;
    this.line = line.line;
    await this.show(line.line.length);
  }

  get moves(): string[] {
    return this.line.map((one) => one.move);
  }

  get position(): string {
    return this.positionAt(this.ply);
  }

  positionAt(ply: number): string {
    return ply === 0 ? this.start : (this.line[ply - 1]?.position ?? this.start);
  }

  get isAtEnd(): boolean {
    return this.ply === this.line.length;
  }

  /** Whose turn it is in the position shown. */
  get side(): Side | undefined {
    return this.board.side;
  }

  /**
   * Plays a move in the position shown. What came after it in the line is forgotten, unless it was
   * the same move.
   */
  async play(move: string): Promise<State> {
    const { ply } = this;
    const played = await this.rules('play', { game: this.game, position: this.position, move });
    const next = { move: played.move, position: played.state.position };
    if (this.line[ply]?.move !== next.move) this.line = [...this.line.slice(0, ply), next];
    this.ply = ply + 1;
    this.board.show(played.state, played.steps);
    return played.state;
  }

  /** Shows the position after some moves of the line. */
  async show(ply: number): Promise<void> {
    const wanted = Math.max(0, Math.min(ply, this.line.length));
    const { game } = this;
    const last = this.line[wanted - 1];
    const before = this.positionAt(wanted - 1);
    const [state, earlier, steps] = await Promise.all([
      this.rules('state', { game, position: this.positionAt(wanted) }),
      last && this.rules('state', { game, position: before }),
      last && this.rules('steps', { game, position: before, move: last.move }),
    ]);
    const forward = wanted === this.ply + 1;
    this.ply = wanted;
    const clicks: Step[] = forward ? (steps ?? []) : [];
    this.board.show(state, clicks);
    if (earlier) this.board.markLast(earlier.view);
  }

  /** Takes moves back for good. */
  async truncate(ply: number): Promise<void> {
    await this.show(ply);
    this.line = this.line.slice(0, this.ply);
  }
}
