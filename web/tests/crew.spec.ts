import { expect, type Page, test } from '@playwright/test';
import { begin, makeMove, myTurn, watch } from './helpers';

const engineLines = (page: Page) =>
  page.getByRole('list', { name: 'Engine lines' }).getByRole('button');

/** Lets the page believe that the device has so many cores, and counts the engines that are at work. */
const withCores = (page: Page, cores: number) =>
  page.addInitScript((cores) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => cores });
    const engines = new Set<Worker>();
    Object.assign(window, { engines });
    // A worker that searches answers nobody, so they are counted where they begin and end.
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        if (options?.name === 'stoa-engine') engines.add(this);
      }
      override terminate() {
        engines.delete(this);
        super.terminate();
      }
    };
  }, cores);

const engines = (page: Page) =>
  page.evaluate(() => (window as unknown as { engines: Set<Worker> }).engines.size);

for (const [game, how] of [
  ['impasse', 'alpha-beta'],
  ['palisade:9', 'a tree search'],
] as const) {
  test(`several workers analyse together with ${how}`, async ({ page }) => {
    const { problems } = watch(page);
    await withCores(page, 4);
    await page.goto(`/#/analyse/${game}`);
    await expect(engineLines(page).first()).toBeVisible({ timeout: 30_000 });
    // One core is left to the page.
    await expect.poll(() => engines(page)).toBe(3);
    // They follow to another position, and end with the analysis.
    await engineLines(page).first().click();
    await expect(engineLines(page).first()).toBeVisible({ timeout: 30_000 });
    await page.goto('/#/');
    await expect.poll(() => engines(page)).toBe(0);
    expect(problems).toEqual([]);
  });
}

test('two cores are one for the engine and one for the page', async ({ page }) => {
  await withCores(page, 2);
  await page.goto('/#/analyse/colossus');
  await expect(engineLines(page).first()).toBeVisible({ timeout: 30_000 });
  expect(await engines(page)).toBe(1);
});

test('a level below the highest plays alone', async ({ page }) => {
  const { problems } = watch(page);
  await withCores(page, 4);
  await begin(page, 'impasse');
  await makeMove(page, 1);
  await expect.poll(() => myTurn(page), { timeout: 20_000 }).toBe(true);
  expect(await engines(page)).toBe(1);
  expect(problems).toEqual([]);
});
