import { expect, test, vi } from 'vitest';
import type { AskOptions, Client } from '$lib/worker/client';
import { Stopped, WorkerDied } from '$lib/worker/client';
import type { CrewPart } from '$lib/worker/messages';
import { Crew, MAX_IDLE_MS } from './crew';

/** Helpers that answer when they are told to. */
function fakes() {
  const parts: CrewPart[] = [];
  const asked: { helper: number; question: object; options: AskOptions; answer: () => void }[] = [];
  const ended: Error[] = [];
  const spawn = (part: CrewPart) => {
    const helper = parts.push(part) - 1;
    return {
      ask: (question: object, options: AskOptions) =>
        new Promise((resolve, reject) => {
          const answer = () => (helper === 1 ? reject(new WorkerDied('x')) : resolve({}));
          asked.push({ helper, question, options, answer });
        }),
      end: (error: Error) => ended.push(error),
    } as unknown as Client;
  };
  return { parts, asked, ended, spawn };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));

test('helpers share the words of the leader, and work until they are released', async () => {
  const { parts, asked, spawn } = fakes();
  const crew = new Crew(2, spawn);
  expect(parts).toEqual([]);
  const net = new Uint8Array([1]);
  const release = crew.begin({ ask: 'think' }, net);
  await settle();
  expect(parts.map(({ helper }) => helper)).toEqual([0, 1]);
  expect(parts.every(({ words }) => words === crew.leader.words)).toBe(true);
  expect(crew.leader.helper).toBeNull();
  expect(asked.map(({ helper }) => helper)).toEqual([0, 1]);
  expect(asked.every(({ options }) => options.net === net)).toBe(true);
  expect(asked.some(({ options }) => options.signal?.aborted)).toBe(false);
  release();
  expect(asked.every(({ options }) => options.signal?.aborted)).toBe(true);
});

test('a question waits for the end of the one before, and is left out if it is over by then', async () => {
  const { parts, asked, spawn } = fakes();
  const crew = new Crew(2, spawn);
  crew.begin({ number: 1 }, undefined)();
  await settle();
  // Released before anybody was asked.
  expect(asked).toEqual([]);
  const second = crew.begin({ number: 2 }, undefined);
  await settle();
  const third = crew.begin({ number: 3 }, undefined);
  second();
  third();
  crew.begin({ number: 4 }, undefined);
  await settle();
  expect(asked.map(({ question }) => question)).toEqual([{ number: 2 }, { number: 2 }]);
  // One answers, the other has died: both go on.
  for (const { answer } of asked) answer();
  await settle();
  expect(asked.slice(2).map(({ question }) => question)).toEqual([{ number: 4 }, { number: 4 }]);
  expect(parts).toHaveLength(2);
});

test('closed helpers are ended, and others start when they are needed again', async () => {
  const { parts, ended, spawn } = fakes();
  const crew = new Crew(1, spawn);
  crew.begin({}, undefined);
  const closed = new Stopped('closed');
  crew.close(closed);
  expect(ended).toEqual([closed]);
  crew.begin({}, undefined);
  await settle();
  expect(parts).toHaveLength(2);
});

test('helpers that nobody needs for a while are ended', async () => {
  vi.useFakeTimers();
  try {
    const { parts, ended, spawn } = fakes();
    const crew = new Crew(2, spawn);
    const release = crew.begin({}, undefined);
    vi.advanceTimersByTime(2 * MAX_IDLE_MS);
    expect(ended).toEqual([]);
    release();
    vi.advanceTimersByTime(MAX_IDLE_MS - 1);
    // A later search needs them again.
    const later = crew.begin({}, undefined);
    vi.advanceTimersByTime(2 * MAX_IDLE_MS);
    expect(ended).toEqual([]);
    later();
    vi.advanceTimersByTime(MAX_IDLE_MS);
    expect(ended).toHaveLength(2);
    crew.begin({}, undefined);
    expect(parts).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

test('of several crews only the one that began last has helpers', async () => {
  const one = fakes();
  const other = fakes();
  const first = new Crew(2, one.spawn);
  const second = new Crew(2, other.spawn);
  const release = first.begin({}, undefined);
  await settle();
  expect([one.parts.length, one.ended.length]).toEqual([2, 0]);
  second.begin({}, undefined);
  await settle();
  expect([one.ended.length, other.parts.length, other.ended.length]).toEqual([2, 2, 0]);
  // The search of the first goes on alone; its next one has the helpers again.
  release();
  expect(other.ended).toHaveLength(0);
  first.begin({}, undefined);
  await settle();
  expect([one.parts.length, other.ended.length]).toEqual([4, 2]);
});
