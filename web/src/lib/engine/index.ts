/**
 * The engine, in a worker of its own. It does one thing at a time: a new question stops the one
 * before it, which then fails with `Stopped`.
 */
import { GAMES, optionOf, plainId } from '$games/index';
import { knownGames } from '$lib/rules';
import { Stopped, type Client } from '$lib/worker/client';
import { isIsolated } from '$lib/worker/isolated';
import { spawnClient } from '$lib/worker/spawn';
import { enginesHere } from './cores';
import { Crew } from './crew';
import { Nets } from './nets';
import type { EngineQuestions } from './protocol';

type Name = keyof EngineQuestions;

const nets = new Nets((game) => {
  const id = plainId(game);
  return id && GAMES[id].net?.(optionOf(game));
});

/** Whoever looks less far wants to know what happens at once, not who is better. */
const MIN_NET_DEPTH = 3;

async function netFor(question: EngineQuestions[Name]['question']) {
  if (!('game' in question) || (question.limits?.depth ?? Infinity) < MIN_NET_DEPTH)
    return undefined;
  const { game } = question;
  const level = 'level' in question ? question.level : undefined;
  if (level !== undefined && level < (await firstLevelWithNet(game))) return undefined;
  return nets.of(game);
}

/** The first level at which the engine judges positions of a game with a network. */
async function firstLevelWithNet(game: string): Promise<number> {
  const { games } = await knownGames();
  return games.find(({ id }) => id === plainId(game))?.first_level_with_net ?? 1;
}

/** Shorter searches are over before help is of use. */
const MIN_HELPED_MS = 250;

/** Whether a question is worth the help of other workers: a search at full strength, for a while. */
async function isLong(ask: Name, question: EngineQuestions[Name]['question']): Promise<boolean> {
  if (ask !== 'think' || !('limits' in question)) return false;
  const { time = Infinity, depth = Infinity, nodes } = question.limits ?? {};
  if (time < MIN_HELPED_MS || depth < MIN_NET_DEPTH || nodes !== undefined) return false;
  const level = 'level' in question ? question.level : undefined;
  return level === undefined || level === (await knownGames()).levels.length;
}

export class Engine {
  private readonly crew: Crew | undefined;
  private client: Client | undefined;
  private current: AbortController | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  /** `helpers` is how many other workers help it with long searches. */
  constructor(helpers = 0) {
    if (helpers > 0 && isIsolated) {
      this.crew = new Crew(helpers, (part) => spawnClient('engine', part));
    }
  }

  /** Asks, and stops what was asked before. */
  async ask<Q extends Name>(
    ask: Q,
    question: EngineQuestions[Q]['question'],
    progress?: (progress: EngineQuestions[Q]['progress']) => void,
  ): Promise<EngineQuestions[Q]['answer']> {
    this.stop();
    const mine = new AbortController();
    this.current = mine;
    const before = this.queue;
    const answer = (async () => {
      await before.catch(() => undefined);
      this.client ??= spawnClient('engine', this.crew?.leader);
      const net = await netFor(question);
      const isHelped = this.crew !== undefined && (await isLong(ask, question));
      if (mine.signal.aborted) throw new Stopped('stopped');
      const told = (one: unknown) => {
        if (!mine.signal.aborted) progress?.(one as EngineQuestions[Q]['progress']);
      };
      // Helpers go on until they are stopped.
      const release = isHelped
        ? this.crew?.begin({ ask, ...question, limits: {} }, net)
        : undefined;
      let found;
      try {
        const options = { progress: told, signal: mine.signal, net };
        found = await this.client.ask({ ask, ...question }, options);
      } finally {
        release?.();
      }
      if (mine.signal.aborted) throw new Stopped('stopped');
      return found as EngineQuestions[Q]['answer'];
    })();
    this.queue = answer;
    return answer;
  }

  /** Stops the search; its promise fails with `Stopped`. */
  stop(): void {
    this.current?.abort();
    this.current = undefined;
  }

  /** Ends the worker and gives its memory back; a later question starts another. */
  close(): void {
    this.stop();
    const closed = new Stopped('closed');
    this.client?.end(closed);
    this.crew?.close(closed);
  }
}

/** The engine of the page. Pages that think about several things at once may have more. */
export const engine = new Engine(enginesHere() - 1);
