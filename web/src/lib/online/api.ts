/**
 * Everything the page asks the server for over HTTP, by name. Addresses, bodies and answers have the
 * types of the API's description.
 */
import type { components, paths } from './api.generated';
import { ask, askText, serverAddress, ServerRefused } from './http';
import type { NewChallenge, Pace } from './wire';

type Json<Message> = Message extends { content: { 'application/json': infer Content } }
  ? Content
  : undefined;
type Answer<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 204)]>
  : never;
type Body<Operation> = Operation extends { requestBody?: infer Message }
  ? Json<Message>
  : undefined;
/** The addresses that a method can be used with. */
type PathOf<Method extends 'get' | 'post' | 'delete'> = {
  [Path in keyof paths]: paths[Path][Method] extends { responses: unknown } ? Path : never;
}[keyof paths];

/** `/api/challenges/{id}` with an id, as a path beside the page. */
const at = (path: string, id = ''): string =>
  path.replace(/^\/api\//, '').replace(/\{(id|token)\}/, encodeURIComponent(id));

const get = <Path extends PathOf<'get'>>(path: Path, id?: string, query = '') =>
  ask<Answer<paths[Path]['get']>>('GET', at(path, id) + query);
const post = <Path extends PathOf<'post'>>(
  path: Path,
  body?: Body<paths[Path]['post']>,
  id?: string,
) => ask<Answer<paths[Path]['post']>>('POST', at(path, id), body);
const remove = <Path extends PathOf<'delete'>>(
  path: Path,
  id?: string,
  body?: Body<paths[Path]['delete']>,
) => ask<Answer<paths[Path]['delete']>>('DELETE', at(path, id), body);

export type Identity = components['schemas']['Identity'];
export type Passkey = components['schemas']['Passkey'];
export type Session = components['schemas']['Session'];
export type Token = components['schemas']['Token'];
type NewTalk = components['schemas']['NewTalk'];
type NewReport = components['schemas']['NewReport'];

export const askMe = () => get('/api/me');
export const rename = (name: string) => post('/api/me', { name });
export const deleteMe = () => remove('/api/me');
export const exportGames = () => askText('me/export');

/** One's own games, a page at a time; `cursor` is the `next` of the page before. */
export function myGames(state: 'playing' | 'ended', cursor?: string) {
  const query = new URLSearchParams({ state, limit: state === 'playing' ? '100' : '12' });
  if (cursor !== undefined) query.set('cursor', cursor);
  return get('/api/me/games', undefined, `?${query}`);
}
export const myChallenges = async () => (await get('/api/me/challenges')).challenges;

export const register = (name: string, password: string) =>
  post('/api/account/register', { name, password });
export const signIn = (name: string, password: string) =>
  post('/api/account/login', { name, password });
export const signOut = () => post('/api/account/logout');
export const changePassword = (old: string, wanted: string) =>
  post('/api/account/password', { old, new: wanted });

export type MailChoice = components['schemas']['MailChoice'];
/** Whether the server sends mail, and where we get it. */
export const mailChoice = () => get('/api/me/mail');
export const setMailAddress = (address: string, password: string, language: string) =>
  post('/api/me/mail', { address, password, language });
export const setMailNotices = (turns: boolean, challenges: boolean) =>
  post('/api/me/mail/notices', { turns, challenges });
export const deleteMailAddress = () => remove('/api/me/mail');
export const confirmMail = (token: string) => post('/api/mail/confirm', { token });
export const unsubscribeMail = (token: string) =>
  post('/api/mail/unsubscribe/{token}', undefined, token);
export const forgotPassword = (address: string) => post('/api/account/forgotten', { address });
export const resetPassword = (token: string, password: string) =>
  post('/api/account/reset', { token, password });

export const passkeys = async () => (await get('/api/me/passkeys')).passkeys;
export const orderPasskey = (password: string) => post('/api/me/passkeys/challenge', { password });
export const addPasskey = (made: Body<paths['/api/me/passkeys']['post']>) =>
  post('/api/me/passkeys', made);
export const renamePasskey = (id: string, label: string) =>
  post('/api/me/passkeys/{id}', { label }, id);
export const removePasskey = (id: string) => remove('/api/me/passkeys/{id}', id);
export const passkeyChallenge = () => post('/api/account/passkey/challenge');
export const passkeySignIn = (signed: Body<paths['/api/account/passkey']['post']>) =>
  post('/api/account/passkey', signed);

export const sessions = async () => (await get('/api/me/sessions')).sessions;
export const endSession = (id: string) => remove('/api/me/sessions/{id}', id);
export const endOtherSessions = () => remove('/api/me/sessions');

export const tokens = async () => (await get('/api/me/tokens')).tokens;
export const makeToken = (label: string) => post('/api/me/tokens', { label });
export const deleteToken = (id: string) => remove('/api/me/tokens/{id}', id);

export const challenge = (challenge: NewChallenge) => post('/api/challenges', challenge);
export const challengeOf = (id: string) => get('/api/challenges/{id}', id);
export const accept = (id: string) => post('/api/challenges/{id}/accept', undefined, id);
export const decline = (id: string) => post('/api/challenges/{id}/decline', undefined, id);
export const cancelChallenge = (id: string) => remove('/api/challenges/{id}', id);

export const conditionalMoves = (game: string) => get('/api/games/{id}/conditional', game);
export const setConditionalMoves = (game: string, lines: string[][]) =>
  post('/api/games/{id}/conditional', { lines }, game);

export const ownGame = (game: string) => get('/api/games/{id}/mine', game);
export const setOwnGame = (game: string, note: string, notices: boolean) =>
  post('/api/games/{id}/mine', { note, notices }, game);
export const vacation = () => get('/api/me/vacation');
export const beginVacation = (days: number) => post('/api/me/vacation', { days });
export const endVacation = () => remove('/api/me/vacation');

export const talk = (game: string) => get('/api/games/{id}/talk', game);
export const say = (game: string, words: NewTalk) => post('/api/games/{id}/talk', words, game);
export const mute = (id: string) => post('/api/players/{id}/mute', undefined, id);
export const unmute = (id: string) => remove('/api/players/{id}/mute', id);
export const report = (about: NewReport) => post('/api/reports', about);

export type SolvedPuzzle = components['schemas']['SolvedPuzzle'];
export const solvedPuzzles = async () => (await get('/api/me/puzzles')).solved;
/** Tells the server of solved puzzles; all that it knows of. */
export const reportPuzzles = async (solved: components['schemas']['NewSolvedPuzzle'][]) =>
  (await post('/api/me/puzzles', { solved })).solved;
export const forgetPuzzles = () => remove('/api/me/puzzles');

export const profile = (id: string) => get('/api/players/{id}', id);
export const results = (id: string) => get('/api/players/{id}/results', id);
/** The finished games of a player, a page at a time. */
export function gamesOf(id: string, opponent: string | undefined, cursor?: string) {
  const query = new URLSearchParams({ limit: '20' });
  if (opponent !== undefined) query.set('opponent', opponent);
  if (cursor !== undefined) query.set('cursor', cursor);
  return get('/api/players/{id}/games', id, `?${query}`);
}
/** The games that changed a rating, the latest first, a page at a time. */
export function ratingHistory(id: string, game: string, pace: Pace, cursor?: string) {
  const query = new URLSearchParams({ game, pace });
  if (cursor !== undefined) query.set('cursor', cursor);
  return get('/api/players/{id}/history', id, `?${query}`);
}
export const follow = (id: string) => post('/api/players/{id}/follow', undefined, id);
export const unfollow = (id: string) => remove('/api/players/{id}/follow', id);
export const block = (id: string) => post('/api/players/{id}/block', undefined, id);
export const unblock = (id: string) => remove('/api/players/{id}/block', id);
export const acquaintances = () => get('/api/me/acquaintances');
export const privacy = () => get('/api/me/privacy');
export const setPrivacy = (show: boolean) => post('/api/me/privacy', { show_presence: show });
export const exportData = () => askText('me/data');

export const ratedGames = async () => (await get('/api/leaderboards')).games;
/** The strongest players, a page at a time. */
export function leaderboard(game: string, pace: Pace, who: 'people' | 'bots', cursor?: string) {
  const query = new URLSearchParams({ game, pace, who });
  if (cursor !== undefined) query.set('cursor', cursor);
  return get('/api/leaderboard', undefined, `?${query}`);
}

/** Games being played, the most watched first. */
export const liveGames = async () => (await get('/api/games/live')).games;

/** A page of finished games. */
export const searchArchive = (query: URLSearchParams) =>
  get('/api/archive', undefined, `?${query}`);
/** Where the games of a search can be downloaded. */
export const archiveRecords = (query: URLSearchParams): string =>
  serverAddress(`archive/records?${query}`).href;
/** What was played from a position. */
export const explore = async (query: URLSearchParams) =>
  (await get('/api/explorer', undefined, `?${query}`)).moves;
export const bots = async () => (await get('/api/bots')).bots;

/** The server's key for Web Push; nothing if it does not do that. */
export async function pushKey(): Promise<string | undefined> {
  try {
    return (await get('/api/push')).key;
  } catch (error) {
    if (error instanceof ServerRefused && error.status === 404) return undefined;
    throw error;
  }
}
export const subscribePush = (subscription: Body<paths['/api/push']['post']>) =>
  post('/api/push', subscription);
export const unsubscribePush = (endpoint: string) => remove('/api/push', undefined, { endpoint });
/** A game as it stands. */
export const gameOf = (id: string) => get('/api/games/{id}', id);
/** The computer's review of a game, or how far it has come. */
export const reviewOnServer = (id: string) => get('/api/games/{id}/review', id);
export const askReview = (id: string) => post('/api/games/{id}/review', undefined, id);
/** Where a game can be downloaded as a record. */
export const recordAddress = (id: string): string =>
  serverAddress(`games/${encodeURIComponent(id)}/record`).href;
