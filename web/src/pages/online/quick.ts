/** What was chosen last for a quick game, and the engine's levels among the bots. */
import { type GameId, GAME_IDS } from '$games/index';
import { readJson, writeJson } from '$lib/store/storage';
import type { Player, TimeControl } from '$lib/online/wire';
import { PRESETS } from './controls';

export interface QuickChoice {
  game: GameId;
  /** Seconds at the start, and for each move, as `300+5`. */
  pace: string;
}

const KEY = 'stoa.quick-game';
export const PACES = PRESETS.map(([initial, increment]) => `${initial}+${increment}`);

/** What was chosen last, as far as it can be read. */
export function lastChoice(): QuickChoice {
  const last = (readJson(KEY) ?? {}) as { game?: unknown; pace?: unknown };
  return {
    game: GAME_IDS.find((game) => game === last.game) ?? GAME_IDS[0],
    pace: PACES.find((pace) => pace === last.pace) ?? '300+5',
  };
}

export const keepChoice = (choice: QuickChoice): boolean => writeJson(KEY, choice);

export function controlOfPace(pace: string): TimeControl & { kind: 'clock' } {
  const [initial = 300, increment = 5] = pace.split('+').map(Number);
  return { kind: 'clock', initial, increment };
}

/** The level of a bot that is the server's own engine. */
export function levelOf({ id }: Pick<Player, 'id'>): number | undefined {
  const level = /^stoa-(\d+)$/.exec(id)?.[1];
  return level === undefined ? undefined : Number(level);
}
