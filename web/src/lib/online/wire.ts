/**
 * What the server sends and is sent, under the names of its API's description, from which the types
 * are generated (`npm run api`). Times are milliseconds since 1970 by the server's clock; pairs are
 * first, second.
 */
import type { components } from './api.generated';

type Schemas = components['schemas'];

export type Action = Schemas['Action'];
export type ArchivedGame = Schemas['ArchivedGame'];
export type BoardUpdate = Schemas['BoardUpdate'];
export type Challenge = Schemas['Challenge'];
export type ClientMessage = Schemas['ClientMessage'];
export type ConditionalMoves = Schemas['ConditionalMoves'];
export type ErrorCode = Schemas['ErrorCode'];
export type ExploredMove = Schemas['ExploredMove'];
export type GameEvent = Schemas['GameEvent'];
export type GameReview = Schemas['GameReview'];
export type GameResult = Schemas['GameResult'];
export type GameSummary = Schemas['GameSummary'];
export type GameView = Schemas['GameView'];
export type LiveGame = Schemas['LiveGame'];
export type NewChallenge = Schemas['NewChallenge'];
export type Offers = Schemas['Offers'];
export type Pace = Schemas['Pace'];
export type Phrase = Schemas['Phrase'];
export type Player = Schemas['Player'];
export type PlayerRating = Schemas['PlayerRating'];
export type Profile = Schemas['Profile'];
export type Rating = Schemas['Rating'];
export type RatingChange = Schemas['RatingChange'];
export type RatingPoint = Schemas['RatingPoint'];
export type Results = Schemas['Results'];
export type ServerMessage = Schemas['ServerMessage'];
export type Side = Schemas['Side'];
export type Situation = Schemas['Situation'];
export type Talk = Schemas['Talk'];
export type TalkMessage = Schemas['TalkMessage'];
export type TimeControl = Schemas['TimeControl'];

/** The side that a player has in a game, if any. */
export function sideOf(players: [Player, Player], player: Player | null): Side | undefined {
  if (player === null) return undefined;
  if (players[0].id === player.id) return 'first';
  return players[1].id === player.id ? 'second' : undefined;
}
