/**
 * Has a game judged, move by move from the last to the first: for certain where the game is solved,
 * else by the engine. What is known so far is told as it comes.
 */
import { GAMES, plainId } from '$games/index';
import { Engine } from '$lib/engine';
import type { Known, Review, ReviewedMove } from '$lib/engine/protocol';
import { Oracle } from '$lib/exact';
import { rules } from '$lib/rules';
import type { Side } from '$lib/rules/protocol';
import { Stopped } from '$lib/worker/client';
import { certainMove, findingsOf, type JudgedMove } from './exact';
import { isError } from './judge';
import { reviewOf } from './summary';

export interface Moves {
  /** The game with its options. */
  game: string;
  /** Where it began; the game's start if left out. */
  start?: string | undefined;
  moves: string[];
}

export interface Told {
  judged: number;
  positions: number;
  /** The moves judged so far: the last ones of the game, in order. */
  moves: JudgedMove[];
}

/** No line that is known for certain is shown for longer. */
const LINE_PLIES = 6;

/** Judges games one at a time; `close` gives the memory back. */
export class GameJudge {
  private readonly engine = new Engine();
  private oracle: Oracle | undefined;
  private readonly answers = new Map<string, Known | null>();
  /** Whoever asked before this number changed wants no answer any more. */
  private age = 0;

  async review(asked: Moves, time: number, tell: (told: Told) => void): Promise<Review> {
    this.stop();
    const age = ++this.age;
    const id = plainId(asked.game);
    if (id !== undefined && GAMES[id].isSolved) {
      try {
        const review = await this.certain(asked, tell, age);
        if (review) return review;
      } catch (error) {
        // A table that does not fit into memory is no reason to say nothing.
        if (error instanceof Stopped || age !== this.age) throw error;
      }
    }
    return this.byEngine(asked, time, tell);
  }

  /** What is known of every move of a position; nothing if the game is not solved. */
  async known(game: string, position: string): Promise<Known | null> {
    const id = plainId(game);
    if (id === undefined || !GAMES[id].isSolved) return null;
    const before = this.answers.get(position);
    if (before !== undefined) return before;
    this.oracle ??= new Oracle();
    const known = await this.oracle.ask(game, position, () => undefined);
    this.answers.set(position, known);
    return known;
  }

  stop(): void {
    this.age += 1;
    this.engine.stop();
    this.oracle?.stop();
  }

  close(): void {
    this.stop();
    this.engine.close();
    this.oracle?.close();
  }

  private async byEngine(
    { game, start, moves }: Moves,
    time: number,
    tell: (told: Told) => void,
  ): Promise<Review> {
    const question = { game, moves, limits: { time }, ...(start === undefined ? {} : { start }) };
    let reviewed: ReviewedMove[] = [];
    const review = await this.engine.ask('review', question, (now) => {
      if (now.reviewed) reviewed = [now.reviewed, ...reviewed];
      tell({ judged: now.judged, positions: now.positions, moves: reviewed });
    });
    return reviewOf(review.moves, review.plies);
  }

  private async certain(
    { game, start, moves }: Moves,
    tell: (told: Told) => void,
    age: number,
  ): Promise<Review | undefined> {
    const line = await rules('line', {
      game,
      moves,
      ...(start === undefined ? {} : { position: start }),
    });
    const positions = [line.start, ...line.line.map(({ position }) => position)];
    const ask = async (ply: number) => {
      const position = positions[ply] ?? '';
      const [{ side, outcome }, known] = await Promise.all([
        rules('state', { game, position }),
        this.known(game, position),
      ]);
      if (age !== this.age) throw new Stopped('stopped');
      return { side, known: outcome === null ? known : null };
    };
    const count = line.line.length;
    let after = await ask(count);
    tell({ judged: 1, positions: count + 1, moves: [] });
    let judged: JudgedMove[] = [];
    for (let ply = count - 1; ply >= 0; ply -= 1) {
      const before = await ask(ply);
      const move = line.line[ply]?.move ?? '';
      const bare = bareMove(ply, before.side ?? 'first', move);
      const found = certainMove(bare, before.known, after.known);
      if (found.certain === undefined) return undefined;
      judged = [await this.explained(found, game, positions), ...judged];
      tell({ judged: count - ply + 1, positions: count + 1, moves: judged });
      after = before;
    }
    return reviewOf(judged, count);
  }

  /** A mistake with the lines that show it. */
  private async explained(
    move: JudgedMove,
    game: string,
    positions: readonly string[],
  ): Promise<JudgedMove> {
    if (!isError(move)) return move;
    const [before = '', after = ''] = positions.slice(move.ply, move.ply + 2);
    const best = await this.line(game, before, move.best[0]);
    const expected = await this.line(game, after, undefined);
    const told = { ...move, best, expected };
    return { ...told, findings: findingsOf(told) };
  }

  /** Best play of both sides from a position, beginning with a move. */
  async line(game: string, position: string, first: string | undefined): Promise<string[]> {
    const line: string[] = [];
    let [at, move] = [position, first];
    while (line.length < LINE_PLIES) {
      move ??= (await this.known(game, at))?.moves[0]?.move;
      if (move === undefined) break;
      line.push(move);
      const { state } = await rules('play', { game, position: at, move });
      if (state.outcome) break;
      [at, move] = [state.position, undefined];
    }
    return line;
  }
}

const EVEN = { points: null, win_probability: 0.5, proven: null, turns: null };

/** A move about which nothing is said yet. */
const bareMove = (ply: number, side: Side, move: string): ReviewedMove => ({
  ply,
  side,
  move,
  class: 'good',
  before: { mover: EVEN, first: EVEN },
  after: { mover: EVEN, first: EVEN },
  lost: 0,
  best: [move],
  expected: [],
  missed_win: null,
  allowed_loss: null,
  findings: [],
  reason: null,
});
