import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './helpers';
import { atGame, moveAndSee, person, type Person, playToTheEnd } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();

const at = (path: string) => `${server.address}#/${path}`;

/** Opens the lobby and waits to be paired. */
async function seek({ page, name }: Person): Promise<void> {
  await page.goto(at('online'));
  await page.getByText('Colonnade', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Find an opponent' }).click();
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Looking for an opponent.').first()).toBeVisible();
}

const isPlaying = (page: Page) => expect(page.getByRole('grid')).toBeVisible({ timeout: 15_000 });

test('two strangers are paired, and whoever cancels is not', async ({ browser }) => {
  const [anna, bruno, carla] = [
    await person(browser, 'Anna'),
    await person(browser, 'Bruno'),
    await person(browser, 'Carla'),
  ];
  await seek(carla);
  await expect(carla.page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await carla.page.keyboard.press('Enter');
  await expect(carla.page.getByRole('button', { name: 'Find an opponent' })).toBeFocused();
  await seek(anna);
  await seek(bruno);
  await Promise.all([isPlaying(anna.page), isPlaying(bruno.page)]);
  expect(anna.page.url()).toBe(bruno.page.url());
  expect(carla.page.url()).toContain('online');
  expect([...anna.problems, ...bruno.problems, ...carla.problems]).toEqual([]);
});

test('the engine is there at once, with one tap', async ({ browser }) => {
  const anna = await person(browser, 'Anna');
  await anna.page.goto(at('online'));
  await anna.page.getByRole('button', { name: /Stoa 1\b/ }).click();
  await anna.page.getByLabel('Your name').fill('Anna');
  await anna.page.getByRole('button', { name: 'Continue' }).click();
  await isPlaying(anna.page);
});

test('a game is watched on a small board, then found in the archive and the explorer', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const [anna, bruno] = await atGame(browser, server);
  const eve = await person(browser, 'Eve');
  await eve.page.goto(at('online'));
  const large = eve.page.locator('.large');
  await expect(large.getByText('Anna')).toBeVisible({ timeout: 40_000 });
  const board = large.locator('svg');
  await expect(board).toBeVisible();
  const before = await board.innerHTML();
  await moveAndSee(anna, bruno, 0);
  await expect.poll(() => board.innerHTML(), { timeout: 10_000 }).not.toBe(before);
  await expectAccessible(eve.page);
  // The other begins now.
  for (const other of [anna, bruno]) await expect(other.page.getByRole('grid')).toBeVisible();
  await playToTheEnd(bruno, anna);

  await eve.page.goto(at('archive'));
  await expect(eve.page.getByText('Anna and Bruno')).toBeVisible();
  await expectAccessible(eve.page);
  const game = eve.page.locator('form label', { hasText: 'Game' }).locator('select');
  await game.selectOption('impasse');
  await expect(eve.page).toHaveURL(/game=impasse/);
  await expect(eve.page.getByText('No game fits.')).toBeVisible();
  await eve.page.goBack();
  await expect(eve.page.getByText('Anna and Bruno')).toBeVisible();
  // What is seldom searched for is out of sight, unless it is searched for.
  const least = eve.page.getByLabel('Moves, at least');
  await expect(least).toBeHidden();
  await eve.page.getByText('More conditions').click();
  await least.fill('999');
  await least.press('Enter');
  await expect(eve.page.getByText('No game fits.')).toBeVisible();
  await eve.page.reload();
  await expect(least).toHaveValue('999');
  await expect(least).toBeVisible();
  await eve.page.goBack();
  await expect(eve.page.getByText('Anna and Bruno')).toBeVisible();
  const [file] = await Promise.all([
    eve.page.waitForEvent('download'),
    eve.page.getByRole('link', { name: 'Download records' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('stoa-archive.txt');

  await eve.page.goto(at('analyse/colonnade'));
  await eve.page.getByRole('switch', { name: 'Explorer' }).click();
  const explored = eve.page.locator('.explorer tbody tr');
  await expect(explored).toHaveCount(1, { timeout: 15_000 });
  await explored.getByRole('button').click();
  await expect(eve.page.locator('.explorer').getByText(/100 %/).first()).toBeVisible();
  // And from there back to the games that came to this position.
  await eve.page
    .locator('.explorer')
    .getByRole('link', { name: 'Games with this position' })
    .click();
  await expect(eve.page.getByText('Games with this position').first()).toBeVisible();
  await expect(eve.page.locator('main li')).toHaveCount(1);
  await expectAccessible(eve.page);
  expect(eve.problems).toEqual([]);
});
