/**
 * What the server sends and is sent: the page's side of `crates/server/src/wire.rs` and of
 * `play/{event,action,control}.rs` there. This is the only place where they are written down in
 * TypeScript. Times are milliseconds since 1970 by the server's clock; pairs are first, second.
 */
import type { Side } from '$lib/rules/protocol';

/** A place at the board; `first` moves first. The rules call it a side. */
export type Seat = Side;

export interface Player {
  id: string;
  /** Empty if the player has deleted everything. */
  name: string;
  kind: 'guest' | 'account' | 'bot';
}

export type Control =
  | { kind: 'clock'; initial: number; increment: number }
  | { kind: 'days'; days: number }
  | { kind: 'unlimited' };

export interface Challenge {
  id: string;
  /** The game with its options. */
  game: string;
  /** The creator's side. */
  side: Seat | 'random';
  control: Control;
  creator: Player;
  /** Whom it is for; anyone who has the link, if there is nobody. */
  opponent: Player | null;
  /** Whether the lobby shows it. */
  listed: boolean;
  state: 'open' | 'accepted' | 'declined' | 'cancelled' | 'expired';
  /** The game that came of it. */
  game_id: string | null;
  created: number;
  expires: number;
}

export interface Result {
  /** Nobody, if it is a draw or was aborted. */
  winner: Seat | null;
  /** A reason of the rules, or `aborted`. */
  reason: string;
}

/** Who has asked for what and waits for an answer. */
export interface Offers {
  draw: Seat | null;
  takeback: Seat | null;
  rematch: Seat | null;
}

/** Where a game stands. */
export interface Situation {
  /** How many events the game has had; each update counts one up. */
  version: number;
  ply: number;
  position: string;
  turn: Seat | null;
  /** What was left on both clocks at `now`; nothing where time is not limited. */
  left: [number, number] | null;
  running: Seat | null;
  /** When the side to move runs out of time. */
  deadline: number | null;
  offers: Offers;
  result: Result | null;
  /** The rematch, once there is one. */
  next: string | null;
  now: number;
}

export interface GameView extends Situation {
  id: string;
  game: string;
  control: Control;
  players: [Player, Player];
  created: number;
  /** The game this is the rematch of. */
  previous: string | null;
  moves: string[];
  viewers: number;
  /** Whether each player listens to the game just now; bots need not. */
  present: [boolean, boolean];
}

/** A game in a list. */
export interface GameCard {
  id: string;
  game: string;
  control: Control;
  players: [Player, Player];
  created: number;
  updated: number;
  version: number;
  ply: number;
  position: string;
  turn: Seat | null;
  deadline: number | null;
  result: Result | null;
}

export type GameEvent =
  | { kind: 'moved'; ply: number; move: string; left?: [number, number] }
  | { kind: 'draw_offered' | 'draw_declined'; by: Seat }
  | { kind: 'takeback_offered' | 'takeback_declined'; by: Seat }
  | { kind: 'taken_back'; ply: number; left?: [number, number] }
  | { kind: 'time_added'; by: Seat; ms: number }
  | { kind: 'rematch_offered' | 'rematch_declined'; by: Seat }
  | { kind: 'rematched'; game: string }
  | { kind: 'ended'; winner: Seat | null; reason: string; left?: [number, number] }
  | { kind: 'aborted'; by?: Seat };

export type Action =
  | { kind: 'move'; ply: number; move: string }
  | { kind: 'resign' | 'abort' }
  | { kind: 'draw' | 'decline_draw' }
  | { kind: 'takeback' | 'decline_takeback' }
  | { kind: 'add_time' }
  | { kind: 'rematch' | 'decline_rematch' };

/** What the server says on the socket. */
export type Message =
  | { t: 'hello'; player: Player | null; now: number }
  | { t: 'game'; game: GameView }
  | { t: 'update'; game: string; event: GameEvent; at: number; situation: Situation }
  | { t: 'viewers'; game: string; viewers: number; present: [boolean, boolean] }
  | { t: 'lobby'; challenges: Challenge[] }
  | { t: 'challenge'; challenge: Challenge }
  | { t: 'challenged'; challenge: Challenge }
  | { t: 'yours'; game: GameCard; event: GameEvent | null }
  | { t: 'done'; id: number; situation: Situation | null }
  | { t: 'refused'; id: number; code: string; message: string }
  | { t: 'pong'; id: number; now: number }
  | { t: 'restart' };

/** What the page says on the socket. */
export type Request =
  | { t: 'watch' | 'unwatch'; id: number; game: string }
  | { t: 'lobby'; id: number; on: boolean }
  | { t: 'act'; id: number; game: string; action: Action }
  | { t: 'ping'; id: number };

/** A wish to play, as it is sent. */
export interface Wish {
  game: string;
  side: Seat | 'random';
  control: Control;
  listed: boolean;
  /** The id of the player it is for. */
  opponent?: string;
}

/** The seat that a player has in a game, if any. */
export function seatOf(players: [Player, Player], player: Player | null): Seat | undefined {
  if (player === null) return undefined;
  if (players[0].id === player.id) return 'first';
  return players[1].id === player.id ? 'second' : undefined;
}
