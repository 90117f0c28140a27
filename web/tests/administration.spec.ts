import { expect, test } from '@playwright/test';
import { expectAccessible } from './helpers';
import { atGame } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();

test('a line before maintenance is seen by everybody, as plain text', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  const line = 'The server restarts at six. <b>Games</b> go on afterwards.';
  await server.admin('banner', line);
  for (const { page } of [anna, bruno]) {
    await expect(page.getByText(line)).toBeVisible({ timeout: 10_000 });
  }
  // Another page has it, too, and one that is loaded anew.
  await anna.page.goto(`${server.address}#/account`);
  await expect(anna.page.getByText(line)).toBeVisible();
  await expectAccessible(anna.page);
  await bruno.page.reload();
  await expect(bruno.page.getByText(line)).toBeVisible({ timeout: 10_000 });
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await bruno.page.setViewportSize({ width, height });
      await bruno.page.emulateMedia({ colorScheme });
      await expect(bruno.page.getByText(line)).toBeInViewport();
    }
  }
  await server.admin('banner', '--clear');
  for (const { page } of [anna, bruno]) {
    await expect(page.getByText(line)).toHaveCount(0, { timeout: 10_000 });
  }
});
