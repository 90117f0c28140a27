import { expect, test } from '@playwright/test';
import { begin, makeMove, myTurn, watch } from './helpers';
import { STOA, StoaServer } from './server';

test.skip(STOA === undefined, 'STOA does not name the program to serve with');

test('the program serves the page, protected and isolated', async ({ page }) => {
  const { problems } = watch(page);
  const server = await StoaServer.start();
  try {
    await begin(page, 'columna', 1, server.address);
    await makeMove(page, 1);
    expect(await myTurn(page)).toBe(true);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(problems).toEqual([]);
  } finally {
    expect(await server.stop()).toBe(0);
  }
});
