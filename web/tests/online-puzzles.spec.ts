import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './helpers';
import { person } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();

interface Puzzle {
  id: string;
  turns: { accepted: string[]; reply?: string }[];
}
const file = new URL('../src/pages/puzzles/data/palisade-7.json', import.meta.url);
// A move of Palisade is one click: its name is that of a point.
const [first, second] = (JSON.parse(readFileSync(file, 'utf8')) as Puzzle[]).filter(
  ({ turns }) => turns.length === 1,
);
if (first === undefined || second === undefined) throw new Error('there are no such puzzles');

async function solve(page: Page, { id, turns }: Puzzle): Promise<void> {
  await page.goto(`${server.address}#/puzzles/palisade/${id}`);
  const point = page.locator(`[data-name="${turns[0]?.accepted[0]}"].possible`);
  await expect(point).toBeAttached();
  await point.click();
  await expect(page.getByText(/^Solved\./).first()).toBeVisible();
}

const account = async (page: Page, way: 'Create an account' | 'Sign in') => {
  await page.goto(`${server.address}#/account`);
  await page.locator('fieldset label', { hasText: way }).click();
  await page.getByLabel('Sign-in name').fill('Anna');
  await page.getByLabel('Password', { exact: true }).fill('a stoa by the sea');
  await page.getByRole('button', { name: way, exact: true }).click();
  await expect(page.getByText(/^Signed in as anna/i)).toBeVisible();
};

test('solved puzzles are on the profile and on other devices', async ({ browser }) => {
  const { page, problems } = await person(browser, 'Anna');
  // The first without an account: it is counted once there is one.
  await solve(page, first);
  await account(page, 'Create an account');
  await solve(page, second);
  // This browser has heard that the server knows of both: what it has not heard of, it would report again.
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('stoa.puzzles.owner')?.split(',').length))
    .toBe(3);
  await page.goto(`${server.address}#/player/anna`);
  const puzzles = page.locator('section', { has: page.getByRole('heading', { name: 'Puzzles' }) });
  await expect
    .poll(async () => {
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Anna' })).toBeVisible();
      return puzzles.getByText(/^2 of \d+ solved$/).count();
    })
    .toBe(1);
  await expect(puzzles.getByText('2 at the first attempt')).toBeVisible();
  await expectAccessible(page);

  const phone = await person(browser, 'Anna');
  await account(phone.page, 'Sign in');
  await phone.page.goto(`${server.address}#/puzzles/palisade`);
  const solved = phone.page.locator('dl div').filter({ hasText: 'Solved' }).locator('dd').first();
  await expect(solved).toHaveText(/^2 \//);
  // What is reset here is reset everywhere.
  await phone.page.getByRole('button', { name: 'Reset my progress' }).click();
  await phone.page.locator('dialog').getByRole('button', { name: 'Reset my progress' }).click();
  await expect(solved).toHaveText(/^0 \//);
  await expect
    .poll(async () => {
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Anna' })).toBeVisible();
      return puzzles.count();
    })
    .toBe(0);
  await page.goto(`${server.address}#/puzzles/palisade`);
  await expect(
    page.locator('dl div').filter({ hasText: 'Solved' }).locator('dd').first(),
  ).toHaveText(/^0 \//);
  expect(problems).toEqual([]);
});
