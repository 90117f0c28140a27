import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './helpers';
import { atGame, moveAndSee, person } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a finished game is sent for review, and everybody sees what comes of it', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server);
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  await moveAndSee(anna, bruno, 3);
  await button(bruno.page, 'Resign').first().click();
  await bruno.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  const game = new URL(anna.page.url()).pathname.split('/').at(-1) ?? '';

  const ask = button(anna.page, 'Ask for a computer review');
  await expect(ask).toBeVisible();
  // Not while the end of the game is still fading in.
  await expect(() => expectAccessible(anna.page)).toPass();
  await ask.click();
  const show = anna.page.getByRole('link', { name: 'Computer review' });
  await expect(show).toBeVisible({ timeout: 30_000 });
  await show.click();
  await expect(anna.page.getByRole('heading', { name: 'Review: Colonnade' })).toBeVisible();
  await expect(anna.page.getByRole('heading', { name: 'Summary' })).toBeVisible();
  await expectAccessible(anna.page);
  // It was made on the server, and is the same for somebody who was not there.
  const made = await anna.page.request.get(`${server.address}api/games/${game}/review`);
  const { review } = (await made.json()) as { review: { plies: number; complete: boolean } };
  expect(review).toMatchObject({ plies: 3, complete: true });
  const carla = await person(browser, 'Carla');
  await carla.page.goto(`${server.address}archive`);
  await carla.page.getByRole('main').getByRole('link', { name: 'Review', exact: true }).click();
  await expect(carla.page.getByRole('heading', { name: 'Summary' })).toBeVisible();
  await expect(carla.page.getByRole('progressbar')).toHaveCount(0);
  await carla.page.getByRole('link', { name: 'Go to the game' }).click();
  await expect(carla.page.getByRole('grid')).toBeVisible();
  for (const { problems } of [anna, bruno, carla]) expect(problems).toEqual([]);
});
