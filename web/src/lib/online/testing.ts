/** A server for tests: sockets that can be cut, and one game that is kept as a server keeps it. */
import { Connection, type Socket } from './connection.svelte';
import type { GameEvent, GameView, ServerMessage, Player, ClientMessage, Side } from './wire';

export const ANNA: Player = { id: 'a', name: 'Anna', kind: 'guest' };
export const BRUNO: Player = { id: 'b', name: 'Bruno', kind: 'guest' };

export class FakeSocket implements Socket {
  sent: ClientMessage[] = [];
  closed = false;
  /** Called with what is sent; without it, nobody answers. */
  answer: ((request: ClientMessage) => void) | undefined;

  constructor(
    readonly sayText: (text: string) => void,
    private readonly end: () => void,
  ) {}

  send(text: string): void {
    const request = JSON.parse(text) as ClientMessage;
    this.sent.push(request);
    this.answer?.(request);
  }
  close(): void {
    this.closed = true;
  }
  say(message: ServerMessage): void {
    this.sayText(JSON.stringify(message));
  }
  /** The network or the server ends it. */
  cut(): void {
    this.closed = true;
    this.end();
  }
  of<T extends ClientMessage['t']>(kind: T): Extract<ClientMessage, { t: T }>[] {
    return this.sent.filter((one) => one.t === kind) as Extract<ClientMessage, { t: T }>[];
  }
}

/** A connection whose sockets are fake, with the time of the (fake) timers. */
export function fakeConnection(random = 1) {
  const sockets: FakeSocket[] = [];
  const connection = new Connection({
    open: (heard, closed) => {
      const socket = new FakeSocket(heard, closed);
      sockets.push(socket);
      return socket;
    },
    now: Date.now,
    random: () => random,
  });
  const socket = () => sockets.at(-1) as FakeSocket;
  const greet = (player: Player | null = ANNA) =>
    socket().say({ t: 'hello', player, now: Date.now() });
  return { connection, sockets, socket, greet };
}

/** A game between Anna, who moves first, and Bruno; the text of a move is all there is to it. */
export class FakeGame {
  moves: string[] = [];
  version = 0;
  result: GameView['result'] = null;

  get view(): GameView {
    const turn: Side = this.moves.length % 2 === 0 ? 'first' : 'second';
    return {
      id: 'g',
      game: 'colonnade',
      control: { kind: 'unlimited' },
      players: [ANNA, BRUNO],
      rated: false,
      created: 0,
      previous: null,
      moves: this.moves,
      vacations: [null, null],
      viewers: 0,
      present: [true, true],
      version: this.version,
      ply: this.moves.length,
      position: this.moves.join(' '),
      turn: this.result ? null : turn,
      left: null,
      running: null,
      deadline: null,
      offers: { draw: null, takeback: null, rematch: null },
      result: this.result,
      next: null,
      now: Date.now(),
    };
  }

  /** The message that tells what happened. */
  happen(event: GameEvent): ServerMessage {
    this.version += 1;
    if (event.kind === 'moved') this.moves = [...this.moves, event.move];
    if (event.kind === 'taken_back') this.moves = this.moves.slice(0, event.ply);
    if (event.kind === 'ended') this.result = { winner: event.winner, reason: event.reason };
    return { t: 'update', game: 'g', event, at: Date.now(), situation: this.view };
  }

  moved(move: string): ServerMessage {
    return this.happen({ kind: 'moved', ply: this.moves.length, move });
  }

  /** Answers as the server does: a move that is there already is done, another one is refused. */
  serve(socket: FakeSocket): void {
    socket.answer = (request) => {
      if (request.t === 'watch') {
        socket.say({ t: 'game', game: this.view });
        socket.say({ t: 'done', id: request.id, situation: null });
      } else if (request.t === 'act' && request.action.kind === 'move') {
        const { ply, move } = request.action;
        if (ply === this.moves.length) socket.say(this.moved(move));
        const same = this.moves[ply] === move;
        if (same) socket.say({ t: 'done', id: request.id, situation: this.view });
        else socket.say({ t: 'refused', id: request.id, code: 'wrong_ply', message: 'no' });
      }
    };
  }
}
