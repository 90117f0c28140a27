import { afterEach, expect, test, vi } from 'vitest';
import { Nets } from './nets';

const bytes = Uint8Array.of(1, 2, 3);
const found = () => Promise.resolve(new Response(bytes.slice()));
const nets = () => new Nets((game) => (game === 'impasse' ? 'impasse.net' : undefined));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a network is loaded once, and only for a game that has one', async () => {
  const fetched = vi.fn(found);
  vi.stubGlobal('fetch', fetched);
  const mine = nets();
  expect(await mine.of('colonnade')).toBeUndefined();
  expect(fetched).not.toHaveBeenCalled();
  expect(await mine.of('impasse')).toEqual(bytes);
  expect(await mine.of('impasse')).toEqual(bytes);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('without it the engine goes on, and the next question tries again', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const missing = () => Promise.resolve(new Response('', { status: 404 }));
  vi.stubGlobal('fetch', vi.fn(missing).mockRejectedValueOnce(new TypeError('offline')));
  const mine = nets();
  expect(await mine.of('impasse')).toBeUndefined();
  expect(await mine.of('impasse')).toBeUndefined();
  expect(warned.mock.calls.flat().join()).toMatch(/offline.*404/);
  vi.stubGlobal('fetch', found);
  expect(await mine.of('impasse')).toEqual(bytes);
});

test('a slow network is not waited for, but used when it has come', async () => {
  vi.useFakeTimers();
  let arrive: (response: Response) => void = () => undefined;
  const slow = new Promise<Response>((resolve) => {
    arrive = resolve;
  });
  vi.stubGlobal('fetch', () => slow);
  const mine = nets();
  const first = mine.of('impasse');
  await vi.advanceTimersByTimeAsync(3000);
  expect(await first).toBeUndefined();
  arrive(new Response(bytes.slice()));
  expect(await mine.of('impasse')).toEqual(bytes);
});
