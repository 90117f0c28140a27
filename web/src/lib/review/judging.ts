/**
 * Has a game judged, move by move from the last to the first: for certain where the game is solved,
 * else by the engine. What is known so far is told as it comes.
 */
import { isSolved } from '$games/index';
import { Engine } from '$lib/engine';
import { enginesHere } from '$lib/engine/cores';
import type { Known, Review, ReviewedMove } from '$lib/engine/protocol';
import { Oracle } from '$lib/exact';
import { rules } from '$lib/rules';
import type { Side } from '$lib/rules/protocol';
import { Stopped } from '$lib/worker/client';
import { certainMove, findingsOf, type JudgedMove } from './exact';
import { isError } from './judge';
import { type Part, partsOf } from './parts';
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
  /** The moves judged so far, in order; each part of the game is judged from its end. */
  moves: JudgedMove[];
}

/** No line that is known for certain is shown for longer. */
const LINE_PLIES = 6;

/** Judges games one at a time; `close` gives the memory back. */
export class GameJudge {
  private readonly engines: Engine[] = [];
  private oracle: Oracle | undefined;
  private readonly answers = new Map<string, Known | null>();
  /** Whoever asked before this number changed wants no answer any more. */
  private age = 0;

  async review(asked: Moves, time: number, tell: (told: Told) => void): Promise<Review> {
    this.stop();
    const age = ++this.age;
    if (isSolved(asked.game)) {
      try {
        const review = await this.certain(asked, tell, age);
        if (review) return review;
      } catch (error) {
        // A table that does not fit into memory is no reason to say nothing.
        if (error instanceof Stopped || age !== this.age) throw error;
      }
    }
    return this.byEngines(asked, time, tell, age);
  }

  /** What is known of every move of a position; nothing if the game is not solved. */
  async known(game: string, position: string): Promise<Known | null> {
    if (!isSolved(game)) return null;
    const before = this.answers.get(position);
    if (before !== undefined) return before;
    this.oracle ??= new Oracle();
    const known = await this.oracle.ask(game, position, () => undefined);
    this.answers.set(position, known);
    return known;
  }

  stop(): void {
    this.age += 1;
    for (const engine of this.engines) engine.stop();
    this.oracle?.stop();
  }

  close(): void {
    this.stop();
    for (const engine of this.engines) engine.close();
    this.oracle?.close();
  }

  /** Has parts of the game reviewed by engines of their own, as many as there are cores to spare. */
  private async byEngines(
    asked: Moves,
    time: number,
    tell: (told: Told) => void,
    age: number,
  ): Promise<Review> {
    const parts = partsOf(asked.moves.length, enginesHere());
    const positions = parts.length > 1 ? await positionsOf(asked) : [];
    if (age !== this.age) throw new Stopped('stopped');
    const reviewed = parts.map((): JudgedMove[] => []);
    const done = parts.map(() => 0);
    const ofPart = async (part: Part, number: number): Promise<void> => {
      const start = positions[part.from] ?? asked.start;
      const moves = asked.moves.slice(part.from, part.until);
      const question = { game: asked.game, moves, limits: { time } };
      const engine = (this.engines[number] ??= new Engine());
      const placed = (move: ReviewedMove) => ({ ...move, ply: move.ply + part.from });
      const isMine = ({ ply }: JudgedMove) => ply < part.end;
      const review = await engine.ask(
        'review',
        start === undefined ? question : { ...question, start },
        (now) => {
          const one = now.reviewed && placed(now.reviewed);
          if (one && isMine(one)) reviewed[number] = [one, ...(reviewed[number] ?? [])];
          done[number] = now.judged;
          // Positions at which parts meet are judged twice.
          const judged = Math.min(sum(done), asked.moves.length + 1);
          tell({ judged, positions: asked.moves.length + 1, moves: reviewed.flat() });
        },
      );
      reviewed[number] = review.moves.map(placed).filter(isMine);
    };
    try {
      await Promise.all(parts.map(ofPart));
    } catch (error) {
      // Without one part the others are of no use.
      for (const engine of this.engines) engine.stop();
      throw error;
    }
    return reviewOf(reviewed.flat(), asked.moves.length, isSolved(asked.game));
  }

  private async certain(
    { game, start, moves }: Moves,
    tell: (told: Told) => void,
    age: number,
  ): Promise<Review | undefined> {
    const positions = await positionsOf({ game, start, moves });
    const ask = async (ply: number) => {
      const position = positions[ply] ?? '';
      const [{ side, outcome }, known] = await Promise.all([
        rules('state', { game, position }),
        this.known(game, position),
      ]);
      if (age !== this.age) throw new Stopped('stopped');
      return { side, known: outcome === null ? known : null };
    };
    const count = moves.length;
    let after = await ask(count);
    tell({ judged: 1, positions: count + 1, moves: [] });
    let judged: JudgedMove[] = [];
    for (let ply = count - 1; ply >= 0; ply -= 1) {
      const before = await ask(ply);
      const move = moves[ply] ?? '';
      const bare = bareMove(ply, before.side ?? 'first', move);
      const found = certainMove(bare, before.known, after.known);
      if (found.certain === undefined) return undefined;
      judged = [await this.explained(found, game, positions), ...judged];
      tell({ judged: count - ply + 1, positions: count + 1, moves: judged });
      after = before;
    }
    return reviewOf(judged, count, isSolved(game));
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

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

/** The texts of all positions of a game, the first one included. */
async function positionsOf({ game, start, moves }: Moves): Promise<string[]> {
  const position = start === undefined ? {} : { position: start };
  const { start: first, line } = await rules('line', { game, moves, ...position });
  return [first, ...line.map((move) => move.position)];
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
