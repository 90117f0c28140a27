import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attention } from './attention.svelte';
import { TIMES, waitBefore } from './connection.svelte';
import { ServerRefused, Unreachable } from './http';
import { fakeConnection } from './testing';
import type { ServerMessage } from './wire';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the connection', () => {
  it('is made when somebody needs it and ended when nobody does', () => {
    const { connection, sockets, socket, greet } = fakeConnection();
    expect(sockets).toHaveLength(0);
    const [one, two] = [connection.hold(), connection.hold()];
    expect(sockets).toHaveLength(1);
    expect(connection.state).toBe('connecting');
    greet();
    expect(connection.state).toBe('open');
    expect(connection.player?.name).toBe('Anna');
    one();
    one();
    expect(socket().closed).toBe(false);
    two();
    expect(socket().closed).toBe(true);
    expect(connection.state).toBe('off');
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('comes back by itself, waiting longer each time', () => {
    const { connection, sockets, socket, greet } = fakeConnection();
    connection.hold();
    greet();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      socket().cut();
      expect(connection.state).toBe('waiting');
      const [count, began] = [sockets.length, Date.now()];
      while (sockets.length === count) vi.advanceTimersByTime(10);
      waits.push(Date.now() - began);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
    // A connection that lasts makes the waits short again.
    greet();
    vi.advanceTimersByTime(TIMES.steady);
    socket().cut();
    const count = sockets.length;
    vi.advanceTimersByTime(TIMES.minWait);
    expect(sockets).toHaveLength(count + 1);
  });

  it('waits by chance, between half and all of the time', () => {
    expect(waitBefore(2, 0)).toBe(1000);
    expect(waitBefore(2, 1)).toBe(2000);
    expect(waitBefore(99, 0.5)).toBe(15_000);
  });

  it('gives up a connection that is not made', () => {
    const { connection, sockets, socket } = fakeConnection();
    connection.hold();
    vi.advanceTimersByTime(TIMES.connect);
    expect(socket().closed).toBe(true);
    expect(connection.state).toBe('waiting');
    vi.advanceTimersByTime(TIMES.minWait);
    expect(sockets).toHaveLength(2);
  });

  it('says again what is to be watched', () => {
    const { connection, socket, greet } = fakeConnection();
    connection.hold();
    const leave = connection.watch('g', () => undefined);
    connection.watch('h', () => undefined);
    connection.lobby();
    expect(socket().sent).toEqual([]);
    greet();
    const watched = () =>
      socket()
        .of('watch')
        .map(({ game }) => game);
    expect(watched()).toEqual(['g', 'h']);
    expect(socket().of('lobby')).toMatchObject([{ on: true }]);
    leave();
    expect(socket().of('unwatch')).toMatchObject([{ game: 'g' }]);
    socket().cut();
    vi.advanceTimersByTime(TIMES.minWait);
    greet();
    expect(watched()).toEqual(['h']);
    expect(socket().of('lobby')).toMatchObject([{ on: true }]);
  });

  it('notices a server that is silent', () => {
    const { connection, sockets, socket, greet } = fakeConnection();
    connection.hold();
    greet();
    vi.advanceTimersByTime(TIMES.pong - 1);
    expect(socket().closed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(socket().closed).toBe(true);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
    greet();
    // One that answers stays.
    const { id } = socket().of('ping')[0] ?? { id: 0 };
    socket().say({ t: 'pong', id, now: Date.now() });
    vi.advanceTimersByTime(TIMES.ping - 1);
    expect(sockets).toHaveLength(2);
    expect(connection.state).toBe('open');
  });

  it('asks at once when the device wakes, and does not wait out its pause', () => {
    const { connection, sockets, socket, greet } = fakeConnection();
    connection.hold();
    greet();
    socket().say({ t: 'viewers', game: 'g', viewers: 1, present: [true, true] });
    connection.wake();
    expect(socket().of('ping')).toHaveLength(2);
    vi.advanceTimersByTime(TIMES.doubt);
    expect(connection.state).toBe('waiting');
    connection.wake();
    expect(connection.state).toBe('connecting');
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  it('comes back soon, but not with the crowd, when the server restarts', () => {
    const { connection, sockets, socket, greet } = fakeConnection(0.5);
    connection.hold();
    greet();
    socket().say({ t: 'restart' });
    expect(socket().closed).toBe(true);
    vi.advanceTimersByTime(TIMES.restart / 2 - 1);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
  });

  it('shows the line of the people who run the server, until it is gone', () => {
    const { connection, socket, greet } = fakeConnection();
    connection.hold();
    greet();
    expect(attention.banner).toBeNull();
    socket().say({ t: 'banner', text: 'Back at <six>.' });
    expect(attention.banner).toBe('Back at <six>.');
    // While the server is away the line says why.
    socket().cut();
    expect(attention.banner).toBe('Back at <six>.');
    vi.advanceTimersByTime(TIMES.minWait);
    greet();
    expect(attention.banner).toBeNull();
  });

  it('answers requests by their numbers', async () => {
    const { connection, socket, greet } = fakeConnection();
    connection.hold();
    await expect(connection.act('g', { kind: 'resign' })).rejects.toBeInstanceOf(Unreachable);
    greet();
    const draw = connection.act('g', { kind: 'draw' });
    const resign = connection.act('g', { kind: 'resign' });
    const lost = connection.act('g', { kind: 'add_time' });
    const [first, second] = socket().of('act');
    socket().say({ t: 'refused', id: second?.id ?? 0, code: 'game_over', message: 'over' });
    socket().say({ t: 'done', id: first?.id ?? 0, situation: null });
    await expect(draw).resolves.toBeNull();
    await expect(resign).rejects.toMatchObject({ code: 'game_over' });
    await expect(resign).rejects.toBeInstanceOf(ServerRefused);
    socket().cut();
    await expect(lost).rejects.toBeInstanceOf(Unreachable);
  });

  it('is deaf to a socket it has given up, and to noise', () => {
    const { connection, sockets, greet } = fakeConnection();
    const heard: ServerMessage[] = [];
    connection.listen((message) => heard.push(message));
    connection.hold();
    greet();
    connection.renew();
    expect(sockets).toHaveLength(2);
    heard.length = 0;
    sockets[0]?.say({ t: 'viewers', game: 'g', viewers: 3, present: [true, true] });
    sockets[0]?.cut();
    sockets[1]?.sayText('{"t":');
    expect(heard).toEqual([]);
    expect(connection.state).toBe('connecting');
    greet();
    expect(heard).toHaveLength(1);
  });
});
