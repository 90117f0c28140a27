/** Everything the page asks the server for over HTTP, by name. */
import { ask, askText, ServerRefused } from './http';
import type { Challenge, GameCard, GameView, Player, Wish } from './wire';

const at = encodeURIComponent;

export interface Me {
  player: Player | null;
  /** The name to sign in with; nothing for guests. */
  login: string | null;
}
export const askMe = () => ask<Me>('GET', 'me');
export const rename = (name: string) => ask<Player>('POST', 'me', { name });
export const deleteMe = () => ask<unknown>('DELETE', 'me');
export const exportGames = () => askText('me/export');

export async function myGames(state: 'playing' | 'ended', before?: number): Promise<GameCard[]> {
  const query = new URLSearchParams({ state, limit: state === 'playing' ? '100' : '12' });
  if (before !== undefined) query.set('before', String(before));
  return (await ask<{ games: GameCard[] }>('GET', `me/games?${query}`)).games;
}
export const myChallenges = async () =>
  (await ask<{ challenges: Challenge[] }>('GET', 'me/challenges')).challenges;

export const register = (name: string, password: string) =>
  ask<Player>('POST', 'account/register', { name, password });
export const signIn = (name: string, password: string) =>
  ask<Player>('POST', 'account/login', { name, password });
export const signOut = () => ask<unknown>('POST', 'account/logout');
export const changePassword = (old: string, wanted: string) =>
  ask<unknown>('POST', 'account/password', { old, new: wanted });

/** A key with which a program may act for this player. */
export interface Token {
  id: string;
  label: string;
  created: number;
  /** When it was last used, to the hour; nothing if it never was. */
  used: number | null;
}
export const tokens = async () => (await ask<{ tokens: Token[] }>('GET', 'me/tokens')).tokens;
export const makeToken = (label: string) =>
  ask<{ id: string; token: string; label: string }>('POST', 'me/tokens', { label });
export const deleteToken = (id: string) => ask<unknown>('DELETE', `me/tokens/${at(id)}`);

export const challenge = (wish: Wish) => ask<Challenge>('POST', 'challenges', wish);
export const challengeOf = (id: string) => ask<Challenge>('GET', `challenges/${at(id)}`);
export const accept = (id: string) => ask<GameView>('POST', `challenges/${at(id)}/accept`);
export const decline = (id: string) => ask<Challenge>('POST', `challenges/${at(id)}/decline`);
export const cancelChallenge = (id: string) => ask<Challenge>('DELETE', `challenges/${at(id)}`);

export const currentGames = async () => (await ask<{ games: GameCard[] }>('GET', 'games')).games;
export const bots = async () => (await ask<{ bots: Player[] }>('GET', 'bots')).bots;

/** The server's key for Web Push; nothing if it does not do that. */
export async function pushKey(): Promise<string | undefined> {
  try {
    return (await ask<{ key: string }>('GET', 'push')).key;
  } catch (error) {
    if (error instanceof ServerRefused && error.status === 404) return undefined;
    throw error;
  }
}
export const subscribePush = (subscription: PushSubscriptionJSON, language: string) => {
  const { endpoint, keys } = subscription;
  return ask<unknown>('POST', 'push', { endpoint, keys, language });
};
export const unsubscribePush = (endpoint: string) => ask<unknown>('DELETE', 'push', { endpoint });
