import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client, Refused, Stopped, WorkerDied, type WorkerLike } from './client';
import type { ToWorker } from './messages';

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  ended = false;
  asked: { id: number; question: string }[] = [];
  stop: Int32Array | undefined;
  postMessage(message: ToWorker) {
    if ('start' in message) {
      if (message.stop) this.stop = new Int32Array(message.stop);
      queueMicrotask(() => this.send({ ready: true }));
    } else this.asked.push(message);
  }
  terminate() {
    this.ended = true;
  }
  send(data: Parameters<NonNullable<WorkerLike['onmessage']>>[0]['data']) {
    this.onmessage?.({ data } as MessageEvent);
  }
  answer(text: string) {
    const id = this.asked.at(-1)?.id ?? 0;
    this.send({ id, answer: text });
  }
}

function clientWith(isolated = false) {
  const workers: FakeWorker[] = [];
  const client = new Client({
    kind: 'rules',
    isolated,
    loadModule: async () => ({}) as WebAssembly.Module,
    makeWorker: () => {
      workers.push(new FakeWorker());
      return workers.at(-1) as FakeWorker;
    },
  });
  return { client, workers };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));
const first = (workers: FakeWorker[], index = 0) => workers[index] as FakeWorker;
afterEach(() => vi.useRealTimers());

describe('a client', () => {
  it('answers, and reports progress before', async () => {
    const { client, workers } = clientWith();
    const progress: unknown[] = [];
    const answer = client.ask({ ask: 'x' }, { progress: (one) => progress.push(one) });
    await settle();
    first(workers).send({ id: 1, progress: '1' });
    first(workers).answer('{"ok":2}');
    expect(await answer).toBe(2);
    expect(progress).toEqual([1]);
  });
  it('says what was refused', async () => {
    const { client, workers } = clientWith();
    const answer = client.ask({});
    await settle();
    first(workers).answer('{"error":{"kind":"illegal","message":"no"}}');
    await expect(answer).rejects.toThrow(Refused);
  });
  it('replaces a worker that dies', async () => {
    const { client, workers } = clientWith();
    const lost = client.ask({});
    await settle();
    first(workers).send({ died: 'panicked' });
    await expect(lost).rejects.toThrow(WorkerDied);
    const next = client.ask({});
    await settle();
    first(workers, 1).answer('{"ok":1}');
    expect(await next).toBe(1);
    expect(first(workers).ended).toBe(true);
  });
  it('replaces a worker that does not answer', async () => {
    const { client, workers } = clientWith();
    const lost = client.ask({}, { timeout: 5 });
    await expect(lost).rejects.toThrow(WorkerDied);
    expect(first(workers).ended).toBe(true);
  });
  it('stops a search through shared memory, and hears what was found', async () => {
    const { client, workers } = clientWith(true);
    const control = new AbortController();
    const answer = client.ask({}, { signal: control.signal });
    await settle();
    control.abort();
    expect(first(workers).stop?.[0]).toBe(1);
    first(workers).answer('{"ok":"so far"}');
    expect(await answer).toBe('so far');
    const next = client.ask({});
    await settle();
    expect(first(workers).stop?.[0]).toBe(0);
    first(workers).answer('{"ok":1}');
    expect(await next).toBe(1);
    expect(workers.length).toBe(1);
  });
  it('ends the worker where no memory is shared', async () => {
    const { client, workers } = clientWith(false);
    const control = new AbortController();
    const answer = client.ask({}, { signal: control.signal });
    await settle();
    control.abort();
    await expect(answer).rejects.toThrow(Stopped);
    await settle();
    expect(first(workers).ended).toBe(true);
  });
  it('tries again after a module that could not be loaded', async () => {
    const { client, workers } = clientWith();
    const options = (client as unknown as { options: { loadModule: () => Promise<unknown> } })
      .options;
    const load = options.loadModule;
    options.loadModule = () => Promise.reject(new Error('offline'));
    await expect(client.ask({})).rejects.toThrow('offline');
    expect(first(workers).ended).toBe(true);
    options.loadModule = load;
    const answer = client.ask({});
    await settle();
    first(workers, 1).answer('{"ok":1}');
    expect(await answer).toBe(1);
  });
});
