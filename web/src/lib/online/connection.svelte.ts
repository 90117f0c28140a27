/**
 * The page's socket to the server: one for all games, lists and updates. It reconnects by itself, as
 * soon as there is reason to hope, and then says again what is to be watched, so that whoever
 * listens only ever sees the truth arrive.
 */
import { attention } from './attention.svelte';
import { ServerRefused, serverAddress, Unreachable } from './http';
import { ServerTime } from './server-time';
import type { Action, ClientMessage, Player, ServerMessage, Situation, TimeControl } from './wire';

/** What is used of a WebSocket. */
export type Socket = Pick<WebSocket, 'send' | 'close'>;

export interface Surroundings {
  open: (heard: (text: string) => void, closed: () => void) => Socket;
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
}

/** In milliseconds. */
export const TIMES = {
  /** The first wait before connecting again; each next is twice as long, up to the longest. */
  minWait: 500,
  maxWait: 20_000,
  /** The longest wait for a server that is restarting; every client waits for a random part of it. */
  restart: 2000,
  /** A connection that takes longer to be made is given up. */
  connect: 10_000,
  /** A connection that lasts this long counts as good, and the backoff is reset. */
  steady: 5000,
  /** How often the server is asked whether it is there, and how long it may take to answer. */
  ping: 25_000,
  pong: 8000,
  /** The same when there is a reason for doubt: the device slept, or changed its network. */
  doubt: 3000,
} as const;

/** How long to wait before the next attempt. All of it is chance, so that crowds come one by one. */
export function waitBefore(attempt: number, random: number): number {
  const most = Math.min(TIMES.maxWait, TIMES.minWait * 2 ** attempt);
  return most * (0.5 + random / 2);
}

interface Waiting {
  resolve: (situation: Situation | null) => void;
  reject: (error: Error) => void;
}

export class Connection {
  /** `waiting` is between two attempts; `off` is when nobody needs it. */
  state = $state<'off' | 'connecting' | 'open' | 'waiting'>('off');
  /** Whether it was open before, so that not being open is a loss. */
  wasOpen = $state(false);
  /** Who the server says we are. */
  player = $state.raw<Player | null>(null);
  readonly time: ServerTime;

  private socket: Socket | null = null;
  /** Counts the sockets. */
  private generation = 0;
  private users = 0;
  private attempts = 0;
  private lastId = 0;
  private began = 0;
  private readonly listeners = new Set<(message: ServerMessage) => void>();
  private readonly watched = new Map<string, { count: number; refused: Set<Refused> }>();
  private lobbies = 0;
  private boardViewers = 0;
  private readonly unanswered = new Map<number, Waiting>();
  private readonly pings = new Map<number, number>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly world: Surroundings) {
    this.time = new ServerTime(world.now);
  }

  /** Keeps the connection up until the answer is called. */
  hold(): () => void {
    this.users += 1;
    if (this.state === 'off') this.connect();
    return once(() => {
      this.users -= 1;
      if (this.users === 0) this.end('off');
    });
  }

  /** Hears everything that arrives, until the answer is called. */
  listen(listener: (message: ServerMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Follows a game until the answer is called. `refused` hears that there is none. */
  watch(game: string, refused: Refused): () => void {
    const known = this.watched.get(game) ?? { count: 0, refused: new Set<Refused>() };
    known.count += 1;
    known.refused.add(refused);
    this.watched.set(game, known);
    // A second watcher needs the whole game too.
    this.watchAgain(game);
    return once(() => {
      known.count -= 1;
      known.refused.delete(refused);
      if (known.count > 0) return;
      this.watched.delete(game);
      this.tell({ t: 'unwatch', game });
    });
  }

  /** Asks for a game as a whole, because something was missed. */
  watchAgain(game: string): void {
    this.request({ t: 'watch', game }).catch((error: unknown) => {
      // What was cut off is asked again when the connection is back.
      if (!(error instanceof ServerRefused)) return;
      for (const refused of this.watched.get(game)?.refused ?? []) refused(error);
    });
  }

  /** Follows the open challenges until the answer is called. */
  lobby(): () => void {
    this.lobbies += 1;
    this.tell({ t: 'lobby', on: true });
    return once(() => {
      this.lobbies -= 1;
      if (this.lobbies === 0) this.tell({ t: 'lobby', on: false });
    });
  }

  /** Follows the boards of games being played until the answer is called. */
  boards(): () => void {
    this.boardViewers += 1;
    this.tell({ t: 'boards', on: true });
    return once(() => {
      this.boardViewers -= 1;
      if (this.boardViewers === 0) this.tell({ t: 'boards', on: false });
    });
  }

  /** Waits to be paired. The place ends with the connection: whoever still wants it asks again. */
  async pair(game: string, control: TimeControl): Promise<void> {
    await this.request({ t: 'pair', game, control });
  }

  unpair(): void {
    this.tell({ t: 'unpair' });
  }

  /**
   * Does something in a game. Fails with `ServerRefused`, or with `Unreachable` if nobody knows
   * whether it was done; the game says when the connection is back.
   */
  act(game: string, action: Action): Promise<Situation | null> {
    return this.request({ t: 'act', game, action });
  }

  /** Connects anew, because the server should know us as somebody else. */
  renew(): void {
    if (this.state === 'off') return;
    this.drop();
    this.connect();
  }

  /** Something happened that may have brought the network back, or taken it away. */
  wake(): void {
    if (this.state === 'waiting') {
      this.attempts = 0;
      this.connect();
    } else if (this.state === 'open') this.ping(TIMES.doubt);
  }

  private connect(): void {
    this.stopTimers();
    this.state = 'connecting';
    this.began = this.world.now();
    this.after('connect', TIMES.connect, () => this.lost());
    this.generation += 1;
    const { generation } = this;
    // A socket that was given up may still have something to say, which is no longer of interest.
    const ifCurrent = (act: () => void) => {
      if (generation === this.generation && this.socket !== null) act();
    };
    try {
      this.socket = this.world.open(
        (text) => ifCurrent(() => this.hear(text)),
        () => ifCurrent(() => this.lost()),
      );
    } catch {
      this.lost();
    }
  }

  private hear(text: string): void {
    let message: ServerMessage;
    try {
      message = JSON.parse(text) as ServerMessage;
    } catch {
      return;
    }
    // Whatever it is, it shows that the server is there.
    this.stop('doubt');
    switch (message.t) {
      case 'hello':
        // If there still is a line, it follows.
        attention.banner = null;
        this.greeted(message.player, message.now);
        break;
      case 'done':
        this.settle(message.id)?.resolve(message.situation);
        return;
      case 'refused':
        this.settle(message.id)?.reject(new ServerRefused(0, message.code, message.message));
        return;
      case 'pong': {
        const asked = this.pings.get(message.id);
        this.pings.delete(message.id);
        if (asked !== undefined) this.time.learn(asked, this.world.now(), message.now);
        return;
      }
      case 'banner':
        attention.banner = message.text;
        return;
      case 'restart':
        this.lost(this.world.random() * TIMES.restart);
        return;
    }
    for (const listener of [...this.listeners]) listener(message);
  }

  private greeted(player: Player | null, now: number): void {
    this.stop('connect');
    this.time.learn(this.began, this.world.now(), now);
    this.player = player;
    this.state = 'open';
    this.wasOpen = true;
    this.after('steady', TIMES.steady, () => (this.attempts = 0));
    if (this.lobbies > 0) this.tell({ t: 'lobby', on: true });
    if (this.boardViewers > 0) this.tell({ t: 'boards', on: true });
    for (const game of this.watched.keys()) this.watchAgain(game);
    this.ping(TIMES.pong);
  }

  private ping(timeout: number): void {
    this.lastId += 1;
    this.pings.set(this.lastId, this.world.now());
    this.after('doubt', timeout, () => this.lost(0));
    this.after('ping', TIMES.ping, () => this.ping(TIMES.pong));
    this.write({ t: 'ping', id: this.lastId });
  }

  private request(asked: Unnumbered): Promise<Situation | null> {
    return new Promise((resolve, reject) => {
      if (this.state === 'open') this.tell(asked, { resolve, reject });
      else reject(new Unreachable('not connected'));
    });
  }

  /** Sends something, if there is a connection. */
  private tell(asked: Unnumbered, waiting?: Waiting): void {
    if (this.state !== 'open') return;
    this.lastId += 1;
    if (waiting) this.unanswered.set(this.lastId, waiting);
    this.write({ ...asked, id: this.lastId } as ClientMessage);
  }

  private write(request: ClientMessage): void {
    try {
      this.socket?.send(JSON.stringify(request));
    } catch {
      // A socket that cannot send is about to say that it is closed.
    }
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.unanswered.get(id);
    this.unanswered.delete(id);
    return waiting;
  }

  private lost(wait?: number): void {
    this.end('waiting');
    const delay = wait ?? waitBefore(this.attempts, this.world.random());
    this.attempts += 1;
    this.after('wait', delay, () => this.connect());
  }

  private end(state: 'off' | 'waiting'): void {
    this.drop();
    this.state = state;
    if (state === 'off') this.wasOpen = false;
  }

  /** Lets go of the socket. What was asked and not answered is nobody's knowledge now. */
  private drop(): void {
    this.stopTimers();
    const { socket } = this;
    this.socket = null;
    this.pings.clear();
    try {
      socket?.close();
    } catch {
      // It was not open yet, or no longer.
    }
    const waiting = [...this.unanswered.values()];
    this.unanswered.clear();
    for (const { reject } of waiting) reject(new Unreachable('the connection was lost'));
  }

  private after(name: string, delay: number, act: () => void): void {
    this.stop(name);
    this.timers.set(name, setTimeout(act, delay));
  }

  private stop(name: string): void {
    clearTimeout(this.timers.get(name));
    this.timers.delete(name);
  }

  private stopTimers(): void {
    for (const name of [...this.timers.keys()]) this.stop(name);
  }
}

type Refused = (error: ServerRefused) => void;
/** `Omit` for each kind of request by itself. */
type Unnumbered<R = ClientMessage> = R extends ClientMessage ? Omit<R, 'id'> : never;

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

const open: Surroundings['open'] = (heard, closed) => {
  const address = serverAddress('socket');
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address);
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') heard(data);
  };
  socket.onclose = closed;
  return socket;
};

let shared: Connection | undefined;

/** The connection of this page. */
export function connection(): Connection {
  if (shared === undefined) {
    shared = new Connection({ open, now: Date.now, random: Math.random });
    const wake = () => shared?.wake();
    // The last answer may have come through just before the network went, so it is asked again until the
    // browser says that it is back: a server on this machine keeps answering.
    const doubt = () => {
      if (navigator.onLine) return;
      if (shared?.state === 'open') wake();
      setTimeout(doubt, TIMES.doubt);
    };
    addEventListener('offline', () => setTimeout(doubt, TIMES.doubt));
    for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, wake);
    document.addEventListener('resume', wake);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) wake();
    });
  }
  return shared;
}
