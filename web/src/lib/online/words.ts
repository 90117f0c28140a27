/** Words about players, times and what the server says. */
import { m } from '$messages';
import { type GameId, GAMES, optionOf, plainId } from '$games/index';
import { locale } from '$lib/i18n/locale.svelte';
import { outcomeWords } from '$lib/i18n/words';
import { NoServer, ServerRefused, Unreachable } from './http';
import type { ErrorCode, GameResult, Player, Rating, TimeControl } from './wire';

/** A player's name; those who have deleted everything have none. */
export const playerName = (player: Player): string => player.name || m.online_nobody();

/** A game with its options: "Palisade 7 × 7". */
export function variantName(game: string): string {
  const id = plainId(game);
  if (id === undefined) return game;
  const { name, options } = GAMES[id];
  const option = optionOf(game);
  return option === undefined || options === undefined ? name : options.name(option);
}

/** A game with all the options that are rated together with its own. */
export function ratedName(game: string): string {
  const id = plainId(game);
  const options = id && GAMES[id].options;
  if (!options) return variantName(game);
  const option = optionOf(game) ?? options.unnamed;
  return (options.ratedName ?? options.name)(option);
}

/** A rating, with a mark if it is provisional. */
export const ratingWords = ({ value, provisional }: Rating): string =>
  `${value}${provisional ? '?' : ''}`;

/** A player with their rating, if they have one. */
export const ratedPlayer = (player: Player): string =>
  player.rating ? `${playerName(player)} (${ratingWords(player.rating)})` : playerName(player);

export function controlWords(control: TimeControl): string {
  if (control.kind === 'unlimited') return m.online_unlimited();
  if (control.kind === 'days') return m.online_days({ count: control.days });
  const { initial, increment } = control;
  const minutes = new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 });
  const start =
    initial < 60
      ? m.online_seconds({ count: initial })
      : m.online_minutes({ number: minutes.format(initial / 60) });
  return increment === 0 ? start : m.online_clock({ start, increment });
}

/** How a game ended. */
export function resultWords(game: GameId, result: GameResult): string {
  const { winner, reason } = result;
  return reason === 'aborted' ? m.online_aborted() : outcomeWords(game, { winner, reason });
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time left as a clock shows it: `1:02:03`, `4:59`, `0:09.4`; with days, `2 d 3 h`. */
export function clockFace(left: number): string {
  const ms = Math.max(0, left);
  if (ms >= DAY) {
    return m.online_face_days({ days: Math.floor(ms / DAY), hours: Math.floor((ms % DAY) / HOUR) });
  }
  // A clock that shows 0:00 while there is time would be a lie, so it counts what has begun.
  if (ms < 10 * SECOND) {
    const tenths = Math.ceil(ms / 100);
    return `0:0${Math.min(9, Math.floor(tenths / 10))}.${tenths >= 100 ? 9 : tenths % 10}`;
  }
  const seconds = Math.ceil(ms / SECOND);
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, min, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(min)}:${two(s)}` : `${min}:${two(s)}`;
}

/** Time left as people say it, in the two largest units. */
export function spanWords(left: number): string {
  // As on the face of a clock, a second that has begun counts.
  const ms = Math.max(0, Math.ceil(left / SECOND) * SECOND);
  const units = [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
    ['second', SECOND],
  ] as const;
  const largest = units.findIndex(([, length]) => ms >= length);
  const [first, second] = largest === -1 ? units.slice(3) : units.slice(largest, largest + 2);
  const say = (count: number, unit: string) =>
    new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  if (!first) return '';
  const count = Math.floor(ms / first[1]);
  const rest = second ? Math.floor((ms % first[1]) / second[1]) : 0;
  const words = [say(count, first[0])];
  if (second && rest > 0) words.push(say(rest, second[0]));
  return new Intl.ListFormat(locale(), { type: 'unit' }).format(words);
}

const REFUSALS: { readonly [code in ErrorCode]?: () => string } = {
  game_over: m.online_refused_game_over,
  not_your_turn: m.online_refused_not_your_turn,
  time_up: m.online_refused_time_up,
  wrong_ply: m.online_refused_wrong_ply,
  already_asked: m.online_refused_already_asked,
  nothing_asked: m.online_refused_nothing_asked,
  nothing_to_take_back: m.online_refused_nothing_to_take_back,
  too_late_to_abort: m.online_refused_too_late_to_abort,
  enough_time: m.online_refused_enough_time,
  has_rematch: m.online_refused_has_rematch,
  blocked: m.online_refused_blocked,
  sign_in_again: m.online_refused_sign_in_again,
  passkeys_elsewhere: () => m.online_refused_passkeys_elsewhere({ address: publicAddress() }),
  rated_game: m.online_refused_rated_game,
  too_many_people: m.online_refused_too_many_people,
  gone: m.online_refused_gone,
  not_found: m.online_refused_not_found,
  not_for_you: m.online_refused_not_for_you,
  own_challenge: m.online_refused_own_challenge,
  no_player: m.online_refused_no_player,
  bad_name: m.online_refused_bad_name,
  bad_opponent: m.online_refused_bad_opponent,
  name_taken: m.online_refused_name_taken,
  bad_password: m.online_refused_bad_password,
  account_closed: m.online_refused_account_closed,
  bad_login: m.online_refused_bad_login,
  has_account: m.online_refused_has_account,
  changed: m.online_refused_changed,
  bad_label: m.online_refused_bad_label,
  too_many_tokens: m.online_refused_too_many_tokens,
  too_many: m.online_refused_too_many,
  did_not_move: m.online_refused_did_not_move,
  too_many_challenges: m.online_refused_too_many_challenges,
  unavailable: m.online_refused_unavailable,
};

/** Where this server wants to be reached, as it says in the head of the page. */
const publicAddress = (): string => {
  const tag = document.querySelector<HTMLMetaElement>('meta[property="og:url"]');
  return new URL(tag?.content ?? '', document.baseURI).host;
};

/** What the server refused, in the language of the page where there are words for it. */
export const refusalWords = (code: string, message: string): string =>
  REFUSALS[code as ErrorCode]?.() ?? m.online_refused_other({ message });

/** What went wrong, in friendly words. */
export function errorWords(error: unknown): string {
  if (error instanceof ServerRefused) {
    const wait = error.code === 'too_many' ? error.retryAfter : undefined;
    if (wait !== undefined) return m.online_refused_wait({ time: spanWords(wait * SECOND) });
    return refusalWords(error.code, error.message);
  }
  if (error instanceof Unreachable) return m.online_unreachable();
  if (error instanceof NoServer) return m.online_no_server();
  return m.failed_other({ message: error instanceof Error ? error.message : String(error) });
}
