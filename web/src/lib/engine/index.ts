/**
 * The engine, in a worker of its own. It does one thing at a time: a new question stops the one
 * before it, which then fails with `Stopped`.
 */
import { GAMES, optionOf, plainId } from '$games/index';
import { knownGames } from '$lib/rules';
import { Stopped, type Client } from '$lib/worker/client';
import { spawnClient } from '$lib/worker/spawn';
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

export class Engine {
  private client: Client | undefined;
  private current: AbortController | undefined;
  private queue: Promise<unknown> = Promise.resolve();

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
      this.client ??= spawnClient('engine');
      const net = await netFor(question);
      if (mine.signal.aborted) throw new Stopped('stopped');
      const told = (one: unknown) => {
        if (!mine.signal.aborted) progress?.(one as EngineQuestions[Q]['progress']);
      };
      const found = await this.client.ask(
        { ask, ...question },
        { progress: told, signal: mine.signal, net },
      );
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
    this.client?.end(new Stopped('closed'));
  }
}

/** The engine of the page. Pages that think about several things at once may have more. */
export const engine = new Engine();
