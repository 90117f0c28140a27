import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, possible } from './helpers';
import { atGame, moveAndSee, moves, person } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();

const account = async (page: Page) => {
  await page.goto(`${server.address}#/account`);
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function signIn(page: Page, password: string): Promise<void> {
  await account(page);
  await page.locator('fieldset label', { hasText: 'Sign in' }).click();
  await page.getByLabel('Sign-in name').fill('Anna');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

test('an account takes the games of a guest along to other devices', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  const game = anna.page.url();
  await account(anna.page);
  await expectAccessible(anna.page);
  await anna.page.getByLabel('Password', { exact: true }).fill('a stoa by the sea');
  await button(anna.page, 'Create an account').click();
  await expect(anna.page.getByText(/^Signed in as anna/i)).toBeVisible();
  await expectAccessible(anna.page);

  const phone = await person(browser, 'Anna');
  await signIn(phone.page, 'not the password');
  await expect(phone.page.getByText('Wrong name or password.')).toBeVisible();
  await signIn(phone.page, 'a stoa by the sea');
  await expect(phone.page.getByText(/^Signed in as anna/i)).toBeVisible();
  await phone.page.getByRole('link', { name: 'Online (1 game is waiting for your move)' }).click();
  await phone.page.getByRole('link', { name: /Bruno.*Your move/s }).click();
  await expect(possible(phone.page).first()).toBeVisible();
  // Both devices show the same game, and a move on one is seen on the other.
  await anna.page.goto(game);
  await expect(possible(anna.page).first()).toBeVisible();
  await moveAndSee({ ...phone, name: 'Anna' }, anna, 3);
  await expect.poll(() => moves(bruno.page)).toBe(await moves(phone.page));

  // Another password signs the other device out.
  await account(anna.page);
  await anna.page.getByText('Change password').first().click();
  await anna.page.getByLabel('Current password').fill('a stoa by the sea');
  await anna.page.getByLabel('New password').fill('a stoa by the river');
  await button(anna.page, 'Change password').click();
  await expect(anna.page.getByText('Password changed.').first()).toBeVisible();
  await account(phone.page);
  await phone.page.reload();
  await expect(phone.page.getByText('You have no name here yet.')).toBeVisible();
  await button(anna.page, 'Sign out').click();
  await expect(anna.page.getByText('You have no name here yet.')).toBeVisible();
});

test('names, keys, everything to take along, and leaving for good', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await moveAndSee(anna, bruno, 1);
  const { page } = anna;
  const game = page.url();
  await account(page);
  await page.getByLabel('Your name').fill('<img src=x> Anna');
  await button(page, 'Change name').click();
  await expect(page.getByText('Name changed.').first()).toBeVisible();
  await bruno.page.reload();
  await expect(bruno.page.getByText('<img src=x> Anna', { exact: true })).toBeVisible();

  await page.getByText('Keys for programs').click();
  await expect(page.getByText('You have none yet.')).toBeVisible();
  await page.getByLabel('What it is for').fill('my bot');
  await button(page, 'Create a key').click();
  const key = await page.getByLabel('Your new key').inputValue();
  expect(key.length).toBeGreaterThan(20);
  const asked = await page.request.get(`${server.address}api/me`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await asked.json()).toMatchObject({ player: { name: '<img src=x> Anna' } });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete my bot' }).click();
  await expect(page.getByText('You have none yet.')).toBeVisible();

  const saving = page.waitForEvent('download');
  await button(page, 'Download all my games').click();
  const file = await (await saving).path();
  expect(await readFile(file, 'utf8')).toContain('<img src=x> Anna');

  await button(page, 'Delete my data').click();
  await expect(page.getByText(/The moves of your games remain/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my data' }).click();
  await expect(page.getByRole('heading', { name: 'Play online' })).toBeVisible();
  await page.goto(game);
  await expect(page.getByText('A former player').first()).toBeVisible();
  await expect(page.getByText('<img src=x> Anna')).toHaveCount(0);
  await expect(button(page, 'Resign')).toHaveCount(0);
});
