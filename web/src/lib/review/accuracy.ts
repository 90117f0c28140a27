/**
 * Accuracy: what a player's moves lost on average, on a scale that the engine's levels set. How much
 * of the chances a weak move loses is very different from game to game, so each game has a table of
 * what its levels lose in games against themselves (`accuracy.txt` in the engine's folder of the game,
 * made by `npm run calibrate`): random moves are about 10, level 5 about 55, level 9 about 91, and
 * nothing lost is 100. The terminal's reviews do the same (`crates/engine/src/review/accuracy.rs`).
 */
import { GAMES, optionOf, plainId, usualVariant } from '$games/index';

export interface Calibration {
  /** What the players of each level lost per move; level 0 plays at random. */
  levels: { level: number; loss: number; moves: number }[];
}

export const LEVEL_STEP = 9;
export const RANDOM_ACCURACY = 10;

/** Below this many moves a number would say more about luck than about the player. */
export const LEAST_MOVES = 8;
/** Below this there is no number at all. */
export const FEW_MOVES = 4;

/** The strongest level that the tables know. */
export const STRONGEST = 9;

export const accuracyOfLevel = (level: number): number => RANDOM_ACCURACY + LEVEL_STEP * level;

/**
 * Points of the scale, from the most lost to nothing lost. Neighbouring levels whose figures are in
 * the wrong order, which happens where games are few, are put together.
 */
export function scale({ levels }: Calibration): { loss: number; accuracy: number }[] {
  interface Pool {
    loss: number;
    accuracy: number;
    weight: number;
  }
  const pools: Pool[] = [];
  for (const { level, loss, moves } of [...levels].sort((a, b) => a.level - b.level)) {
    let pool: Pool = { loss, accuracy: accuracyOfLevel(level), weight: moves };
    for (
      let last = pools.at(-1);
      last !== undefined && last.loss <= pool.loss;
      last = pools.at(-1)
    ) {
      const weight = last.weight + pool.weight;
      const mean = (a: number, b: number) => (a * last.weight + b * pool.weight) / weight;
      pool = {
        loss: mean(last.loss, pool.loss),
        accuracy: mean(last.accuracy, pool.accuracy),
        weight,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return [...pools.map(({ loss, accuracy }) => ({ loss, accuracy })), { loss: 0, accuracy: 100 }];
}

/** The accuracy of somebody who lost so much per move, from 0 to 100. */
export function accuracyOf(calibration: Calibration, loss: number): number {
  const points = scale(calibration);
  const below = points.findIndex((point) => point.loss <= loss);
  const [upper, lower] = [points[below - 1], points[below]];
  if (lower === undefined) return 0;
  // Worse than random: as far from random play as the loss is greater.
  if (upper === undefined) return loss === 0 ? 100 : (lower.accuracy * lower.loss) / loss;
  const part = (upper.loss - loss) / (upper.loss - lower.loss);
  return upper.accuracy + part * (lower.accuracy - upper.accuracy);
}

/** The level that plays about as well; 0 is worse than the lowest. */
export const levelOf = (accuracy: number): number =>
  Math.max(0, Math.min(STRONGEST, Math.round((accuracy - RANDOM_ACCURACY) / LEVEL_STEP)));

const FOLDERS = '../../../../crates/engine/src/games';
const tables = import.meta.glob<string>('../../../../crates/engine/src/games/*/accuracy*.txt', {
  query: '?raw',
  import: 'default',
});

/** A table from its text: rows of level, loss and number of moves; other lines are comments. */
function readCalibration(text: string): Calibration {
  const rows = text.split('\n').filter((line) => /^\d/.test(line));
  const levels = rows.map((row) => {
    const [level = NaN, loss = NaN, moves = NaN] = row.split(' ').map(Number);
    return { level, loss, moves };
  });
  return { levels };
}

const PREFIX = 'accuracy-';
const SUFFIX = '.txt';

/**
 * The file of the table for a game with its options, among those of its folder: that of the option or, where options
 * are sizes, of the nearest one (`crates/engine/src/knowledge.rs`). `accuracy.txt` is that of the usual option.
 */
export function tableOf(files: readonly string[], option: string, usual: string): string {
  const optionOfFile = (file: string) =>
    file.startsWith(PREFIX) ? file.slice(PREFIX.length, -SUFFIX.length) : usual;
  const distance = (file: string) => {
    const found = optionOfFile(file);
    if (found === option) return 0;
    const apart = Math.abs(Number(option) - Number(found));
    // Of two sizes that are equally near, the smaller one counts.
    return Number.isNaN(apart) ? Infinity : apart + Number(found) / 1000;
  };
  const others = files.filter((file) => file.startsWith(PREFIX));
  return others.reduce(
    (best, file) => (distance(file) < distance(best) ? file : best),
    `accuracy${SUFFIX}`,
  );
}

/** The table of a game with its options; nothing if it has none. */
export async function loadCalibration(game: string): Promise<Calibration | undefined> {
  const id = plainId(game);
  if (id === undefined) return undefined;
  const folder = `${FOLDERS}/${id}/`;
  const files = Object.keys(tables).filter((path) => path.startsWith(folder));
  const usual = optionOf(usualVariant(id)) ?? '';
  const file = tableOf(
    files.map((path) => path.slice(folder.length)),
    optionOf(game) ?? GAMES[id].options?.unnamed ?? '',
    usual,
  );
  const text = await tables[folder + file]?.();
  return text === undefined ? undefined : readCalibration(text);
}
