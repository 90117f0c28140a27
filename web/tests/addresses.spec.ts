import { expect, type Page, test } from '@playwright/test';
import { expectPictures, watch } from './helpers';
import { Host } from './host';

let host: Host;
test.beforeEach(async () => {
  host = await Host.open({ hasRealAddresses: true });
});
test.afterEach(() => host.close());

const at = (page: Page) => page.url().slice(host.address.length);

test('real addresses, also from old links', async ({ page }) => {
  const { problems } = watch(page);
  await page.goto(`${host.address}impasse/rules`);
  await expect(page.getByRole('heading', { name: 'Rules of Impasse' })).toBeVisible();
  await expect(page).toHaveTitle('Impasse – Rules – Stoa');
  // A link within the app loads nothing again, and the heading has the keyboard.
  await page.evaluate(() => Object.assign(window, { isTheSame: true }));
  await page.getByRole('link', { name: 'Puzzles' }).click();
  await expect(page.getByRole('heading', { name: 'Puzzles' })).toBeFocused();
  expect(at(page)).toBe('puzzles');
  expect(await page.evaluate(() => 'isTheSame' in window)).toBe(true);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Rules of Impasse' })).toBeVisible();
  await page.goto(`${host.address}#/learn/impasse/crown`);
  await expect(page.getByRole('heading', { name: 'Crown' })).toBeVisible();
  expect(at(page)).toBe('impasse/learn/crown');
  await page.goto(`${host.address}impasse`);
  await expect(page.getByRole('heading', { name: 'Play Impasse' })).toBeVisible();
  expect(problems).toEqual([]);
});

test('a game in a link stays behind #', async ({ page }) => {
  await page.goto(`${host.address}review`);
  await page.getByLabel('Record of a game').fill('game: impasse\n\n1. d2-b4 e7-g5\n');
  await page.goto(`${host.address}analyse/impasse`);
  await expect(page.locator('svg.board')).toBeVisible();
  await page.locator('[data-name="h2"]').click();
  await page.locator('[data-name="g3"]').click();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page
    .getByRole('button', { name: /link to the game|game link|Copy a link/i })
    .first()
    .click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('/some/where/analyse#g=z');
  await page.goto(link);
  await expect(page.locator('svg.board')).toBeVisible();
});

test('foreign and damaged addresses get a clear page', async ({ page }) => {
  const { problems } = watch(page);
  for (const address of [
    'no-such-page',
    'impasse/no-such-page',
    'nothing/%E0%A4%A',
    '%3Cscript%3E',
  ]) {
    await page.goto(host.address + address);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
  await page.goto(`${host.address}embed/no-such-game`);
  await expect(page.getByRole('alert')).toBeVisible();
  expect(problems).toEqual([]);
});

test.describe('kept by the browser', () => {
  test.use({ serviceWorkers: 'allow' });
  test('real addresses work without a network', async ({ page, context }) => {
    await page.goto(host.address);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    host.close();
    await context.setOffline(true);
    await page.goto(`${host.address}impasse/rules`);
    await expect(page.getByRole('heading', { name: 'Rules of Impasse' })).toBeVisible();
    await page.goto(host.address);
    await expectPictures(page);
  });
});
