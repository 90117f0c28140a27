import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TIMES } from './connection.svelte';
import { LiveGame } from './live-game.svelte';
import { ANNA, BRUNO, FakeGame, fakeConnection, type FakeSocket } from './testing';

/** A store as browsers have one. */
function fakeStore(): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  fakeStore();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setUp(player = ANNA) {
  const server = new FakeGame();
  const fake = fakeConnection();
  const told: string[] = [];
  const open = () =>
    new LiveGame(fake.connection, 'g', {
      onevent: (event) => told.push(event.kind),
      ongame: (_, before) => told.push(before === null ? 'first' : 'again'),
    });
  const live = open();
  /** Connects, to a server that answers. */
  const connect = () => {
    server.serve(fake.socket());
    fake.greet(player);
  };
  const reconnect = () => {
    vi.advanceTimersByTime(TIMES.maxWait);
    connect();
  };
  return { server, ...fake, live, told, open, connect, reconnect };
}
const settle = () => vi.advanceTimersByTimeAsync(0);
const acts = (socket: FakeSocket) => socket.of('act').map(({ action }) => action);

describe('a game', () => {
  it('arrives whole and follows updates', () => {
    const { live, server, socket, connect, told } = setUp();
    expect(live.view).toBeNull();
    connect();
    expect(live.seat).toBe('first');
    socket().say(server.moved('a'));
    socket().say(server.moved('b'));
    expect(live.moves).toEqual(['a', 'b']);
    socket().say(server.happen({ kind: 'taken_back', ply: 1 }));
    expect(live.moves).toEqual(['a']);
    expect(live.view?.version).toBe(3);
    expect(told).toEqual(['first', 'moved', 'moved', 'taken_back']);
  });

  it('is asked for again when an update is missing, and only then', () => {
    const { live, server, socket, connect, told } = setUp();
    connect();
    const again = server.moved('a');
    socket().say(again);
    socket().say(again);
    expect(socket().of('watch')).toHaveLength(1);
    server.moved('b');
    socket().say(server.moved('c'));
    expect(socket().of('watch')).toHaveLength(2);
    expect(live.moves).toEqual(['a', 'b', 'c']);
    expect(told).toEqual(['first', 'moved', 'again']);
  });

  it('is asked for again when an update has overtaken it', async () => {
    const { live, server, socket, greet } = setUp();
    // The server looks, something happens, and the update overtakes the whole game.
    socket().answer = (request) => {
      if (request.t !== 'watch') return;
      const seen = server.view;
      socket().say(server.moved('a'));
      server.serve(socket());
      socket().say({ t: 'game', game: seen });
    };
    greet();
    expect(live.moves).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(live.moves).toEqual(['a']);
    expect(socket().of('watch')).toHaveLength(2);
  });

  it('does not go back to what another node knows, unless it stays so', async () => {
    const { live, server, socket, connect } = setUp();
    connect();
    socket().say(server.moved('a'));
    socket().say(server.moved('b'));
    const old = new FakeGame();
    old.moved('a');
    old.serve(socket());
    socket().say({ t: 'game', game: old.view });
    expect(live.moves).toEqual(['a', 'b']);
    // A server that was set up from a backup knows no more, and then that is the truth.
    await vi.advanceTimersByTimeAsync(5000);
    expect(live.moves).toEqual(['a']);
  });

  it('shows an own move at once and forgets that it was pending when it is confirmed', async () => {
    const { live, socket, connect, server } = setUp();
    connect();
    socket().answer = undefined;
    live.move('a');
    expect(live.moves).toEqual(['a']);
    expect(live.pending).toEqual({ ply: 0, move: 'a' });
    expect(live.isMyTurn).toBe(false);
    server.serve(socket());
    socket().say(server.moved('a'));
    await settle();
    expect(live.pending).toBeNull();
    expect(live.moves).toEqual(['a']);
    // The turn is the other's: nothing more is sent.
    live.move('x');
    expect(acts(socket())).toEqual([{ kind: 'move', ply: 0, move: 'a' }]);
  });

  it('sends a move again with the same number after the connection was lost', async () => {
    const { live, server, socket, connect, reconnect } = setUp();
    connect();
    socket().answer = undefined;
    live.move('a');
    socket().cut();
    await settle();
    expect(live.pending).toEqual({ ply: 0, move: 'a' });
    expect(live.moves).toEqual(['a']);
    reconnect();
    await settle();
    expect(acts(socket())).toEqual([{ kind: 'move', ply: 0, move: 'a' }]);
    expect(server.moves).toEqual(['a']);
    expect(live.pending).toBeNull();
  });

  it('does not play twice when only the confirmation was lost', async () => {
    const { live, server, socket, connect, reconnect } = setUp();
    connect();
    socket().answer = () => server.moved('a');
    live.move('a');
    socket().cut();
    await settle();
    reconnect();
    await settle();
    expect(acts(socket())).toEqual([]);
    expect(live.moves).toEqual(['a']);
    expect(live.pending).toBeNull();
  });

  it('keeps a move through a reload', async () => {
    const { live, server, socket, connect, open, reconnect } = setUp();
    connect();
    socket().answer = undefined;
    live.move('a');
    live.close();
    socket().cut();
    const reloaded = open();
    reconnect();
    await settle();
    expect(server.moves).toEqual(['a']);
    expect(reloaded.moves).toEqual(['a']);
    expect(reloaded.pending).toBeNull();
  });

  it('keeps a move through a reload that meets a node which is behind', async () => {
    const { live, server, socket, connect, open, greet } = setUp();
    server.moved('a');
    server.moved('b');
    connect();
    socket().answer = undefined;
    live.move('c');
    live.close();
    socket().cut();
    const reloaded = open();
    vi.advanceTimersByTime(TIMES.maxWait);
    const behind = new FakeGame();
    behind.moved('a');
    behind.serve(socket());
    greet();
    expect(reloaded.pending).toEqual({ ply: 2, move: 'c' });
    server.serve(socket());
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.moves).toEqual(['a', 'b', 'c']);
    expect(reloaded.pending).toBeNull();
    expect(reloaded.refused).toBeNull();
  });

  it('says so when another device was quicker', async () => {
    const { live, server, socket, connect, reconnect } = setUp();
    connect();
    socket().answer = undefined;
    live.move('a');
    socket().cut();
    server.moved('b');
    reconnect();
    await settle();
    expect(live.moves).toEqual(['b']);
    expect(live.pending).toBeNull();
    expect(live.refused).toMatchObject({ code: 'wrong_ply', action: 'move' });
  });

  it('says so when the game ended before the move arrived', async () => {
    const { live, server, socket, connect, reconnect } = setUp();
    connect();
    socket().answer = undefined;
    live.move('a');
    socket().cut();
    server.happen({ kind: 'ended', winner: 'second', reason: 'time' });
    reconnect();
    await settle();
    expect(live.moves).toEqual([]);
    expect(live.refused).toMatchObject({ code: 'game_over' });
  });

  it('takes a move back that the server refuses', async () => {
    const { live, socket, connect } = setUp();
    connect();
    const { answer } = socket();
    socket().answer = (request) => {
      if (request.t !== 'act') answer?.(request);
      else socket().say({ t: 'refused', id: request.id, code: 'illegal_move', message: 'no' });
    };
    live.move('nonsense');
    await settle();
    expect(live.moves).toEqual([]);
    expect(live.refused).toEqual({ code: 'illegal_move', message: 'no', action: 'move' });
    expect(live.isMyTurn).toBe(true);
  });

  it('tries again with a server that has too much to do', async () => {
    const { live, server, socket, connect } = setUp();
    connect();
    const { answer } = socket();
    let refusals = 2;
    socket().answer = (request) => {
      if (request.t === 'act' && refusals > 0) {
        refusals -= 1;
        socket().say({ t: 'refused', id: request.id, code: 'unavailable', message: 'busy' });
      } else answer?.(request);
    };
    live.move('a');
    await settle();
    expect(live.pending).not.toBeNull();
    await vi.advanceTimersByTimeAsync(3000);
    expect(server.moves).toEqual(['a']);
    expect(live.pending).toBeNull();
    expect(live.refused).toBeNull();
  });

  it('does not repeat anything but moves', async () => {
    const { live, socket, connect, reconnect } = setUp();
    connect();
    socket().answer = undefined;
    const asked = live.act('add_time');
    expect(live.asking).toBe('add_time');
    socket().cut();
    await asked;
    expect(live.asking).toBeNull();
    reconnect();
    expect(acts(socket())).toEqual([]);
  });

  it('asks for the game if what was confirmed does not come', async () => {
    const { live, server, socket, connect } = setUp();
    connect();
    const { answer } = socket();
    socket().answer = (request) => {
      if (request.t !== 'act') return answer?.(request);
      server.happen({ kind: 'ended', winner: 'second', reason: 'resigned' });
      socket().say({ t: 'done', id: request.id, situation: server.view });
    };
    await live.act('resign');
    expect(live.view?.result).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect(live.view?.result).toEqual({ winner: 'second', reason: 'resigned' });
  });

  it('is only watched by those who do not play', () => {
    const { live, connect, socket } = setUp({ ...BRUNO, id: 'somebody' });
    connect();
    expect(live.seat).toBeUndefined();
    live.move('a');
    expect(acts(socket())).toEqual([]);
  });

  it('may not be there', async () => {
    const { live, socket, greet } = setUp();
    socket().answer = (request) => {
      if (request.t === 'watch') {
        socket().say({ t: 'refused', id: request.id, code: 'not_found', message: 'no game' });
      }
    };
    greet();
    await settle();
    expect(live.missing?.code).toBe('not_found');
  });
});
