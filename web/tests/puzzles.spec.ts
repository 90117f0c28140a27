import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, possible, watch } from './helpers';

interface Puzzle {
  id: string;
  game: string;
  goal: 'win' | { 'win-within'?: number; hold?: number };
  grade: number;
  turns: { accepted: string[]; reply?: string }[];
}
const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../src/pages/puzzles/data/${name}.json`, import.meta.url), 'utf8'),
  ) as Puzzle[];

/** Moves of Impasse that are two clicks: `h6-g7`. */
const SLIDE = /^([a-h][1-8])-([a-h][1-8])$/;
const right = (puzzle: Puzzle, turn = 0) => puzzle.turns[turn]?.accepted[0] ?? '';
const slides = read('impasse').filter(({ turns }) =>
  turns.every(({ accepted }) => SLIDE.test(accepted[0] ?? '')),
);
const short = slides.find(({ turns }) => turns.length === 1);
if (short === undefined) throw new Error('there is no puzzle of Impasse with one slide');

async function open(page: Page, puzzle: Puzzle) {
  await page.goto(`/#/puzzles/impasse/${puzzle.id}`);
  await expect(possible(page).first()).toBeVisible();
}

async function slide(page: Page, move: string) {
  const [, from, to] = SLIDE.exec(move) ?? [];
  await page.locator(`[data-name="${from}"]`).click();
  await expect(page.locator(`[data-name="${to}"].possible`)).toBeAttached();
  await page.locator(`[data-name="${to}"]`).click();
}

const number = (page: Page, label: string) =>
  page.locator('dl div').filter({ hasText: label }).locator('dd').first();

test('a puzzle is solved by clicking, and that is kept', async ({ page }) => {
  const { problems } = watch(page);
  await open(page, short);
  await slide(page, right(short));
  await expect(page.getByText(/^Solved\./).first()).toBeVisible();
  await expect(number(page, 'Solved')).toHaveText(/^1 \//);
  await expect(page.getByText(/^Proven:/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Analyse this position' })).toHaveAttribute(
    'href',
    /^#\/analyse\/impasse\?p=/,
  );
  await page.reload();
  await expect(number(page, 'Solved')).toHaveText(/^1 \//);
  await expect(page.getByText('Streak', { exact: true }).locator('..')).toContainText('1');
  await open(page, short);
  await slide(page, right(short));
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await expect(page).not.toHaveURL(new RegExp(short.id));
  await expect(possible(page).first()).toBeVisible();
  expect(problems).toEqual([]);
});

test('replies are played in a puzzle of several moves', async ({ page }) => {
  // A move of Palisade is one click: its name is that of a point.
  const long = read('palisade-7').find(({ turns }) => turns.length > 1);
  if (long === undefined) throw new Error('there is no puzzle of Palisade with several turns');
  await page.goto(`/#/puzzles/palisade/${long.id}`);
  for (const { accepted, reply } of long.turns) {
    const point = page.locator(`[data-name="${accepted[0]}"].possible`);
    await expect(point).toBeAttached();
    await point.click();
    if (reply !== undefined)
      await expect(page.getByText(`The reply is ${reply}`).first()).toBeVisible();
  }
  await expect(page.getByText(/^Solved\./).first()).toBeVisible();
});

/** A drop of Columna is two clicks, on a point of the ring and on a space: `a4@d4`. */
const DROP = /^([a-i][1-9])@([b-h][2-8])$/;

async function drop(page: Page, move: string) {
  const [, point, space] = DROP.exec(move) ?? [];
  for (const name of [point, space]) {
    const place = page.locator(`[data-name="${name}"].possible`);
    await expect(place).toBeAttached();
    await place.click();
  }
}

test('a win in several turns is played to its end', async ({ page }) => {
  const { problems } = watch(page);
  const long = read('columna').find(
    ({ turns }) => turns.length > 1 && turns.every(({ accepted }) => DROP.test(accepted[0] ?? '')),
  );
  if (long === undefined) throw new Error('there is no puzzle of Columna with several drops');
  const turns = typeof long.goal === 'object' ? long.goal['win-within'] : undefined;
  await page.goto(`/#/puzzles/columna/${long.id}`);
  await expect(page.getByRole('heading', { name: `Win in ${turns} turns.` })).toBeVisible();
  for (const { accepted, reply } of long.turns) {
    // Where several moves end the game, any of them will do.
    await drop(page, accepted.findLast((move) => DROP.test(move)) ?? '');
    if (reply !== undefined)
      await expect(page.getByText(`The reply is ${reply}`).first()).toBeVisible();
  }
  await expect(page.getByText(/^Solved\./).first()).toBeVisible();
  await expect(page.getByText(`Proven: this move wins within ${turns} turns`)).toBeVisible();
  expect(problems).toEqual([]);
});

test('a defence is asked for, and found', async ({ page }) => {
  const held = read('columna').find(
    ({ goal, turns }) =>
      typeof goal === 'object' && goal.hold === 1 && DROP.test(turns[0]?.accepted[0] ?? ''),
  );
  if (held === undefined) throw new Error('there is no defence in Columna by a drop');
  await page.goto(`/#/puzzles/columna/${held.id}`);
  await expect(page.getByRole('heading', { name: 'Find the only defence.' })).toBeVisible();
  await drop(page, right(held));
  await expect(page.getByText('Solved. Every other move loses.').first()).toBeVisible();
  await expect(page.getByText(/^Proven: after every other move/)).toBeVisible();
});

test('a wrong move is answered, and one may try again', async ({ page }) => {
  const { problems } = watch(page);
  await open(page, short);
  const [, from = ''] = SLIDE.exec(right(short)) ?? [];
  await page.locator(`[data-name="${from}"]`).click();
  const [, , to = ''] = SLIDE.exec(right(short)) ?? [];
  const others = page.locator(`.hit.possible:not([data-name="${to}"]):not([data-name="${from}"])`);
  await expect(page.locator(`[data-name="${to}"].possible`)).toBeAttached();
  test.skip((await others.count()) === 0, 'this piece has one move only');
  await others.first().dispatchEvent('click');
  const finish = page.getByRole('button', { name: 'Finish the move' });
  await page.waitForTimeout(200);
  if (await finish.isVisible()) await finish.click();
  await expect(page.getByText(/^Not that one/).first()).toBeVisible();
  await expect(possible(page).first()).toBeVisible({ timeout: 10_000 });
  await slide(page, right(short));
  await expect(page.getByText(/^Solved\./).first()).toBeVisible();
  await expect(page.getByText('Streak', { exact: true }).locator('..')).toContainText('0');
  expect(problems).toEqual([]);
});

test('hints come in two steps, and the solution can be seen', async ({ page }) => {
  await open(page, short);
  await page.getByRole('button', { name: 'Hint' }).click();
  const [, from, to] = SLIDE.exec(right(short)) ?? [];
  await expect(page.getByText(`The move starts at the mark: ${from}.`).first()).toBeVisible();
  await expect(page.locator('.advised')).toHaveCount(1);
  await page.getByRole('button', { name: 'Show the move' }).click();
  await expect(page.getByText(`The move is ${from}-${to}.`).first()).toBeVisible();
  await expect(page.locator('.advised')).toHaveCount(2);
  await page.getByRole('button', { name: 'Show the solution' }).click();
  await expect(page.getByText(/^This is the solution/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: `Go to move 1, ${from}-${to}` })).toHaveAttribute(
    'aria-current',
    'step',
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(possible(page).first()).toBeVisible();
});

test('a game and a difficulty are chosen', async ({ page }) => {
  await page.goto('/#/puzzles');
  await expect(possible(page).first()).toBeVisible();
  await page.getByText('Colossus', { exact: true }).click();
  await expect(page).toHaveURL(/puzzles\/colossus/);
  await page.getByRole('group', { name: 'Difficulty' }).getByText('2', { exact: true }).click();
  await expect(page.getByRole('img', { name: 'Difficulty 2 of 5' })).toBeVisible();
  await page.goto('/#/puzzles/impasse/impasse-00000000');
  await expect(page.getByRole('alert')).toContainText('There is no such puzzle');
  await page.getByRole('link', { name: 'Next puzzle' }).click();
  await expect(possible(page).first()).toBeVisible();
});

test('puzzles have no barriers, and fit on a phone', async ({ page }) => {
  await open(page, short);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await slide(page, right(short));
  await expect(page.getByText(/^Solved\./).first()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const game of ['mixed', 'palisade', 'colonnade', 'columna']) {
    await page.goto(`/#/puzzles/${game}`);
    await expect(possible(page).first()).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, game).toBeLessThanOrEqual(0);
  }
});
