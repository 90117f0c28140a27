import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, watch } from './helpers';

/** Black could have won with h8-d4, and lost. */
const GAME = {
  version: 1,
  id: 'lost',
  name: 'A lost game',
  game: 'impasse',
  start: '7b/8/8/8/8/2w5/8/8 b',
  moves: ['h8-g7', 'c3-f6', 'g7-h6', 'f6-d8', 'h6-d2', '*d8'],
  players: [{ kind: 'engine', level: 3 }, { kind: 'person' }],
  seed: 1,
  created: 1,
  updated: 1,
  outcome: { winner: 'first', reason: 'no-checkers' },
};
const RECORD = `game: impasse
start: ${GAME.start}
white: Ada
black: Grace

1... h8-g7 2. c3-f6 g7-h6 3. f6-d8 h6-d2 4. *d8
`;

async function withGame(page: Page) {
  await page.addInitScript(
    (text) => localStorage.setItem('stoa.game.lost', text),
    JSON.stringify(GAME),
  );
}

async function slide(page: Page, from: string, to: string) {
  await page.locator(`[data-name="${from}"]`).click();
  await expect(page.locator(`[data-name="${to}"].possible`)).toBeAttached();
  await page.locator(`[data-name="${to}"]`).click();
}

test('a lost game is reviewed, and its mistake played better', async ({ page }) => {
  const { problems } = watch(page);
  await withGame(page);
  await page.goto('/#/play/g/lost');
  await page.getByRole('link', { name: 'Review this game' }).click();
  const graph = page.getByRole('img', { name: /^How likely Black was to win/ });
  await expect(graph).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('cell').first()).toBeVisible();
  const mistake = page.getByRole('button', { name: /You \(Black\): h8-g7\?\?, blunder/ });
  await mistake.click();
  await expect(page.getByText('It turns a certain win into a certain loss.')).toBeVisible();
  await expect(page.getByText('White wins in 5 turns with c3-f6')).toBeVisible();
  // What it allows is drawn on the board.
  await expect(page.locator('.overlay .threat[data-move="c3-f6"]')).toBeAttached();
  await expect(page.getByText('Better: h8-d4.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Black to move. Find something better than h8-g7.')).toBeVisible();
  await slide(page, 'h8', 'e5');
  await expect(page.getByText(/^h8-e5 loses for certain: White answers /).first()).toBeVisible({
    timeout: 10_000,
  });
  await expect(page.locator('[data-name="h8"].possible')).toBeAttached({ timeout: 10_000 });
  await slide(page, 'h8', 'd4');
  await expect(page.getByText('h8-d4 is the best move. Well spotted!').first()).toBeVisible();
  await expect(page.getByText('You have found a better move for each')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the review' }).click();
  await expect(page.getByText('✓ Done')).toBeVisible();

  // A reload does not begin again.
  await page.reload();
  await expect(graph).toBeVisible({ timeout: 3_000 });
  await expect(page.getByText('✓ Done')).toBeVisible();
  expect(problems).toEqual([]);
});

test('the keyboard goes through moves and mistakes, and better lines are shown', async ({
  page,
}) => {
  await withGame(page);
  await page.goto('/#/review/g/lost');
  await expect(page.getByRole('img', { name: /^How likely/ })).toBeVisible({ timeout: 30_000 });
  const current = page.locator('ol [aria-current="step"]');
  await expect(current).toHaveText('*d8');
  await page.keyboard.press('ArrowLeft');
  await expect(current).toHaveText('h6-d2');
  await page.keyboard.press('?');
  await expect(page.getByRole('row', { name: 'Esc From a variation' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('p');
  await expect(current).toHaveText('h8-g7??');
  await page.getByRole('button', { name: 'Show the better line' }).click();
  await expect(page.getByText('You are looking at the better line')).toBeVisible();
  // A line has its own signs, its own sentence and its own graph.
  await expect(current).toHaveText('h8-d4');
  await expect(page.locator('ol')).not.toContainText('?');
  await expect(page.locator('.worth')).toHaveText('Black is certain to win.');
  await expect(page.locator('.graph .leaves')).toBeAttached();
  await expect(page.locator('.graph .dot')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('.worth')).toHaveText('White is certain to win.');
  await expect(page.locator('.graph .dot')).toHaveCount(1);
  await expect(current).toHaveText('h8-g7??');
});

test('a pasted record is reviewed, a damaged one explained', async ({ page }) => {
  await page.goto('/#/review');
  const field = page.getByLabel('Record of a game');
  await field.fill('game: impasse\n\n1. a1-a8\n');
  await page.getByRole('button', { name: 'Review it' }).click();
  await expect(page.getByRole('alert')).toContainText('a1');
  await field.fill(RECORD);
  await page.getByRole('button', { name: 'Review it' }).click();
  await expect(page.getByRole('img', { name: /^How likely/ })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('columnheader', { name: 'Grace (Black)' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('img', { name: /^How likely/ })).toBeVisible({ timeout: 3_000 });
});

test('a review can be stopped and restarted; unknown games are reported', async ({ page }) => {
  await page.addInitScript(
    (text) => localStorage.setItem('stoa.game.lost', text),
    JSON.stringify({ ...GAME, start: undefined, moves: ['d2-b4', 'e7-g5'], outcome: undefined }),
  );
  await page.goto('/#/review/g/lost');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('The review was stopped.')).toBeVisible();
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.getByRole('img', { name: /^How likely/ })).toBeVisible({ timeout: 30_000 });
  await page.goto('/#/review/g/none');
  await expect(page.getByRole('alert')).toContainText('There is no such game');
});

test('reviews have no barriers, and fit on a phone', async ({ page }) => {
  await withGame(page);
  await page.goto('/#/review');
  await expect(page.getByRole('link', { name: /A lost game/ })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/#/review/g/lost');
  await expect(page.getByRole('img', { name: /^How likely/ })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: /blunder/ }).click();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.goto('/#/review');
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test('in a solved game the review knows what is lost', async ({ page }) => {
  test.setTimeout(120_000);
  await page.addInitScript(
    (text) => localStorage.setItem('stoa.game.solved', text),
    JSON.stringify({
      ...GAME,
      id: 'solved',
      game: 'colonnade',
      start: undefined,
      moves: ['2c<', '4d<'],
      players: [{ kind: 'person' }, { kind: 'person' }],
      outcome: undefined,
    }),
  );
  await page.goto('/#/review/g/solved');
  await expect(page.getByRole('heading', { name: 'Summary' })).toBeVisible({ timeout: 90_000 });
  // Every first move loses, so none of them costs anything.
  await expect(page.getByText(/chances of winning fall/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Go to the start' }).click();
  await expect(page.locator('.worth')).toHaveText('Blue is certain to win.');
});
