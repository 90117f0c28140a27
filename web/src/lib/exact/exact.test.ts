import { describe, expect, it, vi } from 'vitest';
import { Stopped, WorkerDied } from '$lib/worker/client';
import { Oracle } from '.';
import type { Known } from '$lib/worker/questions.generated';

const KNOWN: Known = { legal: 1, moves: [{ move: '1b<', verdict: 'win', plies: 1 }] };

/** A worker that answers when the test says so. */
function fake() {
  const asked: {
    position: string;
    progress: (progress: unknown) => void;
    answer: (answer: unknown) => void;
    fail: (error: Error) => void;
  }[] = [];
  const client = {
    ask: vi.fn(
      (question: object, options: { progress?: (progress: unknown) => void } = {}) =>
        new Promise<unknown>((answer, fail) => {
          const { position } = question as { position: string };
          asked.push({ position, progress: (one) => options.progress?.(one), answer, fail });
        }),
    ),
    interrupt: vi.fn(() => asked.at(-1)?.answer(null)),
    end: vi.fn((error: Error) => asked.at(-1)?.fail(error)),
  };
  return { client, asked };
}
const soon = () => new Promise((resolve) => setTimeout(resolve));

describe('the oracle', () => {
  it('tells what is known so far, and the whole', async () => {
    const { client, asked } = fake();
    const progress = vi.fn();
    const answer = new Oracle(() => client, true).ask('colonnade', 'a', progress);
    await soon();
    asked[0]?.progress({ legal: 1, moves: [] });
    asked[0]?.answer(KNOWN);
    expect(await answer).toEqual(KNOWN);
    expect(progress).toHaveBeenCalledWith({ legal: 1, moves: [] });
  });

  it('lets the table be finished, then answers the latest question only', async () => {
    const { client, asked } = fake();
    const oracle = new Oracle(() => client, true);
    const ask = (position: string) => oracle.ask('colonnade', position, vi.fn());
    const first = ask('a');
    first.catch(() => undefined);
    await soon();
    const questions = [first, ask('b'), ask('c')];
    const results = Promise.allSettled(questions);
    await soon();
    expect(client.interrupt).not.toHaveBeenCalled();
    asked[0]?.answer(KNOWN);
    await soon();
    asked[1]?.answer(KNOWN);
    expect(asked.map(({ position }) => position)).toEqual(['a', 'c']);
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    await expect(questions[0]).rejects.toThrow(Stopped);
  });

  it.each([true, false])('interrupts a search if that costs no table (%s)', async (can) => {
    const { client, asked } = fake();
    const oracle = new Oracle(() => client, can);
    const first = oracle.ask('colonnade', 'a', vi.fn());
    const failed = expect(first).rejects.toThrow(Stopped);
    await soon();
    asked[0]?.progress(KNOWN);
    const second = oracle.ask('colonnade', 'b', vi.fn());
    expect(client.interrupt).toHaveBeenCalledTimes(can ? 1 : 0);
    asked[0]?.answer(null);
    await failed;
    await soon();
    asked[1]?.answer(KNOWN);
    expect(await second).toEqual(KNOWN);
  });

  it('asks again after a death', async () => {
    const { client, asked } = fake();
    const oracle = new Oracle(() => client, true);
    const first = oracle.ask('colonnade', 'a', vi.fn());
    const failed = expect(first).rejects.toThrow(WorkerDied);
    await soon();
    asked[0]?.fail(new WorkerDied('panic'));
    await failed;
    const second = oracle.ask('colonnade', 'a', vi.fn());
    await soon();
    asked[1]?.answer(KNOWN);
    expect(await second).toEqual(KNOWN);
    oracle.close();
    expect(client.end).toHaveBeenCalled();
  });
});
