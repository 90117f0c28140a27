import { expect, type Page, test } from '@playwright/test';
import { begin, expectPictures, makeMove, movesPlayed, myTurn, possible, watch } from './helpers';
import { Host } from './host';

test.use({ serviceWorkers: 'allow' });

let host: Host;
test.beforeEach(async () => {
  host = await Host.open();
});
test.afterEach(() => host.close());

/** Visits the page and waits until the browser keeps it. */
async function visit(page: Page): Promise<void> {
  await page.goto(host.address);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}
/** The browser looks for it some time after the page was loaded. */
const expectNewVersion = (page: Page) =>
  expect(page.getByText('A new version of Stoa is ready.').first()).toBeVisible({
    timeout: 20_000,
  });
const description = (page: Page) =>
  page.locator('meta[name="description"]').getAttribute('content');

test('after one visit everything works without a network', async ({ page, context }) => {
  const { problems } = watch(page);
  await visit(page);
  host.close();
  await context.setOffline(true);
  // A page that was never visited, and the rules with it.
  await begin(page, 'impasse', { at: host.address });
  await makeMove(page, 1);
  expect(await myTurn(page)).toBe(true);
  const moves = await movesPlayed(page);
  await page.reload();
  await expect(possible(page).first()).toBeVisible();
  expect(await movesPlayed(page)).toBe(moves);
  // This host sends no headers, but what the browser keeps has them: searches can be stopped.
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await makeMove(page, 2);
  expect(await myTurn(page)).toBe(true);
  await page.goto(host.address);
  await expectPictures(page);
  expect(problems).toEqual([]);
});

test('a new version waits until it is wanted', async ({ page, context }) => {
  await visit(page);
  const old = await description(page);
  host.putNewVersion('The second version');
  await page.reload();
  await expectNewVersion(page);
  expect(await description(page)).toBe(old);
  const other = await context.newPage();
  await other.goto(`${host.address}#/play`);
  expect(await description(other)).toBe(old);
  await page.getByRole('button', { name: 'Update now' }).click();
  await expect.poll(() => description(page).catch(() => '')).toBe('The second version');
  // The other tab is of the same version again.
  await expect.poll(() => description(other).catch(() => '')).toBe('The second version');
  await context.setOffline(true);
  host.close();
  await page.reload();
  expect(await description(page)).toBe('The second version');
  await expectPictures(page);
});

test('half of a new version is never used', async ({ page }) => {
  await visit(page);
  const old = await description(page);
  host.putNewVersion('The second version', { complete: false });
  const failed = page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const worker = (await registration.update()) && registration.installing;
    await new Promise<void>((resolve) => {
      const look = () => worker?.state === 'redundant' && resolve();
      worker?.addEventListener('statechange', look);
      look();
    });
    return { waiting: registration.waiting !== null, caches: (await caches.keys()).length };
  });
  expect(await failed).toEqual({ waiting: false, caches: 1 });
  await page.reload();
  expect(await description(page)).toBe(old);
  await expect(page.getByText('A new version')).toHaveCount(0);
  // When the rest has arrived, it is.
  host.putNewVersion('The second version');
  await page.reload();
  await expectNewVersion(page);
});

test('the page can be installed', async ({ page, request }) => {
  await visit(page);
  const link = await page.locator('link[rel="manifest"]').getAttribute('href');
  const address = new URL(link ?? '', host.address);
  const manifest = (await (await request.get(address.href)).json()) as {
    icons: { src: string; sizes: string }[];
    start_url: string;
    display: string;
  };
  expect(manifest).toMatchObject({ start_url: './', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, new URL(src, address).href);
    if (sizes !== 'any') expect(size).toBe(sizes);
  }
});
