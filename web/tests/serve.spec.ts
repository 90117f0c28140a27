import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { begin, makeMove, myTurn, possible, watch } from './helpers';
import { atGame, person } from './people';
import { STOA, StoaServer } from './server';

test.skip(STOA === undefined, 'STOA does not name the program to serve with');

test('the program serves the page, protected and isolated', async ({ page }) => {
  const { problems } = watch(page);
  const server = new StoaServer();
  await server.start();
  try {
    await begin(page, 'columna', { at: server.address });
    await makeMove(page, 1);
    expect(await myTurn(page)).toBe(true);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(problems).toEqual([]);
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

test.describe('real addresses', () => {
  const server = new StoaServer();
  test.beforeAll(() => server.start());
  test.afterAll(() => server.stop());

  test('say what is there, with a picture', async ({ page, request }) => {
    const { problems } = watch(page);
    await page.goto(`${server.address}impasse/rules`);
    await expect(page.getByRole('heading', { name: 'Rules of Impasse' })).toBeVisible();
    // What the server says the tab is called is what the page calls it.
    const sent = await (await request.get(`${server.address}impasse/rules`)).text();
    expect(sent).toContain(`<title>${await page.title()}</title>`);
    const tag = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content');
    expect(await tag('og:url')).toBe(`${server.address}impasse/rules`);
    const picture = await request.get((await tag('og:image')) ?? '');
    expect(picture.headers()['content-type']).toBe('image/png');
    await page.getByRole('link', { name: 'Puzzles' }).click();
    await expect(page.getByRole('heading', { name: 'Puzzles' })).toBeVisible();
    expect(page.url()).toBe(`${server.address}puzzles`);
    await page.goto(`${server.address}#/learn/impasse/crown`);
    await expect(page.getByRole('heading', { name: 'Crown' })).toBeVisible();
    expect(page.url()).toBe(`${server.address}impasse/learn/crown`);
    expect(problems).toEqual([]);
  });

  test('come to life without being drawn again', async ({ page }) => {
    const { problems } = watch(page);
    page.on('console', (message) => {
      if (message.text().includes('hydration')) problems.push(message.text());
    });
    let arrive = () => {};
    const onTheirWay = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/assets/*.js', async (route) => {
      await onTheirWay;
      await route.continue();
    });
    await page.goto(server.address, { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    const sent = await page.locator('#app *').evaluateAll((elements) => {
      Object.assign(window, { sent: elements });
      return elements.length;
    });
    arrive();
    await expect(possible(page).first()).toBeVisible();
    const kept = await page.evaluate(
      () => (window as unknown as { sent: Element[] }).sent.filter((one) => one.isConnected).length,
    );
    expect(kept).toBe(sent);
    // It answers, and its links are those of the page.
    await page.getByRole('button', { name: 'Colossus' }).click();
    await expect(page.getByRole('link', { name: 'Learn Colossus' }).first()).toBeVisible();
    await page.getByRole('link', { name: 'Puzzles' }).click();
    await expect(page.getByRole('heading', { name: 'Puzzles' })).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('can be read before their scripts run', async ({ browser }) => {
    const context = await browser.newContext({ locale: 'es-ES', colorScheme: 'dark' });
    const page = await context.newPage();
    let isBlocked = true;
    await page.route('**/assets/*.js', (route) => (isBlocked ? route.abort() : route.continue()));
    const heading = page.getByRole('heading', { level: 1 });
    await page.goto(`${server.address}impasse/rules`);
    await expect(heading).toHaveText('Reglas de Impasse');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.getByRole('link', { name: 'Problemas' })).toHaveAttribute(
      'href',
      './puzzles',
    );
    await page.goto(server.address);
    await expect(heading).toBeVisible();
    // The words beside the first board are there before it is, and nothing is said about this browser.
    await expect(page.getByText('empieza la partida')).toBeVisible();
    await expect(page.locator('aside')).toHaveCount(0);
    // What is meant for another reader is not shown: behind # is another address, and a language was chosen.
    await page.goto(`${server.address}?x#/rules/impasse`);
    await expect(heading).toBeHidden();
    await page.evaluate(() => localStorage.setItem('stoa.locale', 'en'));
    await page.goto(`${server.address}impasse/rules`);
    await expect(heading).toBeHidden();
    // The page itself takes its place.
    isBlocked = false;
    await page.reload();
    await expect(heading).toHaveText('Rules of Impasse');
    await expect(page.locator('header .brand')).toHaveCount(1);
    await context.close();
  });

  test('of games say who plays before their scripts run', async ({ browser }) => {
    const [host, guest] = await atGame(browser, server);
    const reader = await person(browser, 'Carla');
    let isBlocked = true;
    await reader.page.route('**/assets/*.js', (route) =>
      isBlocked ? route.abort() : route.continue(),
    );
    await reader.page.goto(host.page.url());
    const coming = reader.page.getByText('Anna – Bruno, Colonnade');
    await expect(coming).toBeVisible();
    isBlocked = false;
    await reader.page.reload();
    await expect(reader.page.getByRole('grid')).toBeVisible();
    await expect(coming).toHaveCount(0);
    await Promise.all([host, guest, reader].map((one) => one.leave()));
  });

  test('that do not exist get the page, which says so', async ({ page }) => {
    const unknown = await page.goto(`${server.address}no-such-page`);
    expect(unknown?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page).toHaveTitle('Page not found – Stoa');
    const gone = await page.goto(`${server.address}game/none`);
    expect(gone?.status()).toBe(404);
    await expect(page.locator('#content')).toContainText(/no game|not found|There is/i);
  });

  test('of boards may be shown by others, and nothing else', async ({ page }) => {
    const body = `<!doctype html>
      <script type="module" src="${server.address}stoa-board.js"></script>
      <stoa-board game="impasse" position="7b/8/8/8/8/2w5/8/8 b"></stoa-board>
      <iframe id="direct" src="${server.address}embed/impasse"></iframe>
      <iframe id="trick" src="${server.address}?embed#/account"></iframe>
      <iframe id="refused" src="${server.address}account"></iframe>`;
    const other = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(body);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    await expect(page.frameLocator('stoa-board iframe').getByText('Black to move')).toBeVisible();
    await expect(page.frameLocator('#direct').locator('svg.board')).toBeVisible();
    await expect(
      page.frameLocator('#trick').getByRole('link', { name: 'Open in Stoa' }),
    ).toBeVisible();
    await expect(page.frameLocator('#trick').getByRole('navigation')).toHaveCount(0);
    await expect(page.frameLocator('#refused').locator('#app')).toHaveCount(0);
    other.closeAllConnections();
    other.close();
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });
    test('rules and lessons can be read', async ({ page }) => {
      await page.goto(server.address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.getByRole('link', { name: 'Impasse: Rules' }).click();
      await expect(page.getByRole('heading', { name: 'Rules of Impasse' })).toBeVisible();
      await expect(page.getByRole('heading', { name: /Transpose/ })).toBeVisible();
      await page.getByRole('link', { name: 'Impasse: Learn' }).click();
      await expect(page.getByRole('heading', { name: 'Singles go forward' })).toBeVisible();
      // With the board that they are about.
      const board = page.locator('figure img').first();
      await expect(board).toBeVisible();
      expect(await board.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
        0,
      );
    });
  });
});
