/** Words about games that several pages use. */
import { m } from '$messages';
import { locale } from './locale.svelte';
import type { GameId, Outcome, Reason, Side, Counted } from '$lib/rules/protocol';

/** Games keep their names in every language. */
export const GAME_NAMES: Record<GameId, string> = {
  colonnade: 'Colonnade',
  impasse: 'Impasse',
  palisade: 'Palisade',
  columna: 'Columna',
  colossus: 'Colossus',
};

/**
 * Who made the games, and when. The rules know it too; it is here so that pages can say it before
 * the module is loaded. A test compares.
 */
export const CREDITS: Record<GameId, { designer: string; year: number }> = {
  colonnade: { designer: 'Mark Steere', year: 2010 },
  impasse: { designer: 'Mark Steere', year: 2003 },
  palisade: { designer: 'Mark Steere', year: 2007 },
  columna: { designer: 'Rey Alicea', year: 2013 },
  colossus: { designer: 'Aaron Bradford Starr', year: 2005 },
};

const SIDES: Record<GameId, [() => string, () => string]> = {
  colonnade: [m.side_red, m.side_blue],
  impasse: [m.side_white, m.side_black],
  palisade: [m.side_black, m.side_white],
  columna: [m.side_black, m.side_white],
  colossus: [m.side_black, m.side_white],
};

/** The words for the players in records, which are the same in every language. */
export const RECORD_SIDES: Record<GameId, [string, string]> = {
  colonnade: ['red', 'blue'],
  impasse: ['white', 'black'],
  palisade: ['black', 'white'],
  columna: ['black', 'white'],
  colossus: ['black', 'white'],
};

/** The name of a player: `sideName('impasse')('first')` is "White". */
export const sideName =
  (game: GameId) =>
  (side: Side): string =>
    SIDES[game][side === 'first' ? 0 : 1]();

const AIMS: Record<GameId, () => string> = {
  colonnade: m.game_colonnade_aim,
  impasse: m.game_impasse_aim,
  palisade: m.game_palisade_aim,
  columna: m.game_columna_aim,
  colossus: m.game_colossus_aim,
};
export const aimOf = (game: GameId): string => AIMS[game]();

const BOARDS: Record<GameId, () => string> = {
  colonnade: m.game_colonnade_board,
  impasse: m.game_impasse_board,
  palisade: m.game_palisade_board,
  columna: m.game_columna_board,
  colossus: m.game_colossus_board,
};
export const boardOf = (game: GameId): string => BOARDS[game]();

const LEVELS = [
  m.level_1,
  m.level_2,
  m.level_3,
  m.level_4,
  m.level_5,
  m.level_6,
  m.level_7,
  m.level_8,
  m.level_9,
  m.level_10,
];
export const levelName = (level: number): string => LEVELS[level - 1]?.() ?? String(level);

const REASONS: Record<Reason, () => string> = {
  'no-move': m.reason_no_move,
  'no-checkers': m.reason_no_checkers,
  territory: m.reason_territory,
  path: m.reason_path,
  blocked: m.reason_blocked,
  'no-tower': m.reason_no_tower,
  'full-board': m.reason_full_board,
  stall: m.reason_stall,
  resigned: m.reason_resigned,
  time: m.reason_time,
  agreed: m.reason_agreed,
  abandoned: m.reason_abandoned,
};

export function outcomeWords(game: GameId, outcome: Outcome): string {
  const why = REASONS[outcome.reason]();
  return outcome.winner === null
    ? m.outcome_draw({ why })
    : m.outcome_win({ side: sideName(game)(outcome.winner), why });
}

const COUNTED: Record<Counted, () => string> = {
  checkers: m.tally_checkers,
  points: m.tally_points,
  fours: m.tally_fours,
  score: m.tally_score,
};
export const countedWords = (counted: Counted): string => COUNTED[counted]();

/** A probability as people say it; what is not certain is never shown as if it were. */
export function percentWords(probability: number): string {
  const certain = probability === 0 || probability === 1;
  const shown = certain ? probability : Math.min(0.99, Math.max(0.01, probability));
  return new Intl.NumberFormat(locale(), { style: 'percent' }).format(shown);
}
