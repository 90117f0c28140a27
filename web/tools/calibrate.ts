/**
 * What the engine's levels lose per move in games against themselves, by the reviews that the page
 * makes: `accuracy.txt` in the engine's folder of the game, from which reviews read accuracy. Level 0
 * plays any legal move. Each position is reviewed with the same number of nodes, about what the page manages in
 * the time that it takes, so every machine makes the same tables: `npm run calibrate -- GAME`; with an option, as in
 * `columna:points`, it is the table for that option.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { GAME_IDS, isSolved, optionOf, plainId, usualVariant } from '$games/index';
import type { EngineQuestions, Known, ReviewedMove } from '$lib/engine/protocol';
import { certainMove, type JudgedMove } from '$lib/review/exact';
import { costOf, isTelling } from '$lib/review/summary';
import type { RulesQuestions } from '$lib/rules/protocol';
import { askEngine, askExact, askRules, initSync } from '../src/wasm/stoa_wasm.js';
import { ALONE, netOf } from './module';

const LEVELS = [0, 1, 3, 5, 7, 9];
/** A game that is longer than this says nothing new. */
const MAX_PLIES = 120;

type Questions = RulesQuestions & EngineQuestions;

Object.assign(globalThis, ALONE);
initSync({ module: readFileSync(new URL('../src/wasm/stoa_wasm_bg.wasm', import.meta.url)) });

function parsed<Answer>(text: string): Answer {
  const answer = JSON.parse(text) as { ok?: Answer };
  if (answer.ok === undefined) throw new Error(text);
  return answer.ok;
}
const rules = <Q extends keyof RulesQuestions>(ask: Q, question: Questions[Q]['question']) =>
  parsed<Questions[Q]['answer']>(askRules(JSON.stringify({ ask, ...question })));
const engine = <Q extends keyof EngineQuestions>(
  ask: Q,
  question: Questions[Q]['question'],
  net?: Uint8Array,
) =>
  parsed<Questions[Q]['answer']>(
    askEngine(JSON.stringify({ ask, ...question }), net, () => undefined),
  );

const exact = (game: string, position: string) =>
  parsed<Known | null>(askExact(JSON.stringify({ ask: 'exact', game, position }), () => undefined));

/** Numbers from 0 up to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A game of a level against itself. Two random moves come first, so that no two are alike; in Colossus most
 * of these would end the game.
 */
function playGame(game: string, level: number, seed: number): string[] {
  const random = randomFrom(seed);
  let { position, outcome } = rules('state', { game });
  const moves: string[] = [];
  while (outcome === null && moves.length < MAX_PLIES) {
    const legal = rules('moves', { game, position });
    const goesOn = (one: string) =>
      rules('play', { game, position, move: one }).state.outcome === null;
    const any = (of: string[]) => of[Math.floor(random() * of.length)];
    const move =
      level === 0
        ? any(legal)
        : moves.length < 2
          ? any(legal.filter(goesOn))
          : engine('think', { game, position, level, seed, limits: {} }, netOf(game)).lines[0]
              ?.moves[0];
    if (move === undefined) break;
    moves.push(move);
    ({ position, outcome } = rules('play', { game, position, move }).state);
  }
  return moves;
}

/** The moves as the page judges them. */
function judged(game: string, moves: string[], nodes: number): JudgedMove[] {
  const reviewed: ReviewedMove[] = engine(
    'review',
    { game, moves, limits: { nodes } },
    netOf(game),
  ).moves;
  if (!isSolved(game)) return reviewed;
  const { start, line } = rules('line', { game, moves });
  const known = [start, ...line.map(({ position }) => position)].map((at) => exact(game, at));
  return reviewed.map((move) =>
    certainMove(move, known[move.ply] ?? null, known[move.ply + 1] ?? null),
  );
}

export function calibrate(args: string[]): void {
  const option = (name: string, usual: number) => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? usual : Number(args[at + 1]);
  };
  const [games, nodes] = [option('games', 12), option('nodes', 15_000)];
  const named = args.filter((word) => plainId(word) !== undefined);
  for (const word of named.length > 0 ? named : GAME_IDS) {
    const id = plainId(word);
    if (id === undefined) continue;
    const usual = usualVariant(id);
    const game = word === id ? usual : word;
    const levels = LEVELS.map((level) => {
      const costs: number[] = [];
      for (let seed = 1; seed <= games; seed += 1) {
        engine('forget', {});
        const moves = playGame(game, level, seed);
        engine('forget', {});
        // The two random moves are nobody's.
        const own = judged(game, moves, nodes).filter(
          (move) => isTelling(move, isSolved(game)) && (level === 0 || move.ply >= 2),
        );
        costs.push(...own.map(costOf));
      }
      const loss = costs.reduce((sum, cost) => sum + cost, 0) / Math.max(1, costs.length);
      const row = { level, loss: Number(loss.toFixed(5)), moves: costs.length };
      console.log(game, JSON.stringify(row));
      return row;
    });
    const lines = [
      `# What the levels of ${game} lose per move, a game being 1: level, loss, moves that count. Level 0 plays at random.`,
      `# npm run calibrate -- ${word} --games ${games} --nodes ${nodes}`,
      ...levels.map(({ level, loss, moves }) => `${level} ${loss} ${moves}`),
    ];
    const name = game === usual ? 'accuracy' : `accuracy-${optionOf(game) ?? ''}`;
    const file = new URL(`../../crates/engine/src/games/${id}/${name}.txt`, import.meta.url);
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
}
