import { expect, type Page, test } from '@playwright/test';
import { begin, makeMove, myTurn, watch } from './helpers';

/** The networks that a page asks for. */
function netsAskedFor(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.net')) asked.push(request.url());
  });
  return asked;
}

const engineLines = (page: Page) =>
  page.getByRole('list', { name: 'Engine lines' }).getByRole('button');

test('a network is loaded when its game is analysed, and not before', async ({ page }) => {
  const { problems } = watch(page);
  const asked = netsAskedFor(page);
  await begin(page, 'impasse');
  await makeMove(page, 1);
  expect(await myTurn(page)).toBe(true);
  expect(asked).toEqual([]);
  await page.goto('/#/analyse/impasse');
  await expect(engineLines(page).first()).toBeVisible({ timeout: 20_000 });
  expect(asked).toHaveLength(1);
  await page.goto('/#/analyse/columna:points');
  await expect(engineLines(page).first()).toBeVisible({ timeout: 20_000 });
  expect(asked).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('a low level loads a network where it judges with one', async ({ page }) => {
  const { problems } = watch(page);
  const asked = netsAskedFor(page);
  for (const [number, game] of ['columna', 'palisade:5'].entries()) {
    await begin(page, game);
    await makeMove(page, 1);
    await expect.poll(() => myTurn(page), { timeout: 20_000 }).toBe(true);
    expect(asked).toHaveLength(number + 1);
  }
  expect(problems).toEqual([]);
});

for (const [what, answer] of [
  ['missing', { status: 404 }],
  ['damaged', { body: 'stoa-net 1\ngame: impasse\n' }],
] as const) {
  test(`the engine makes do without a network that is ${what}`, async ({ page }) => {
    await page.route('**/*.net', (route) => route.fulfill(answer));
    const refused = page.waitForResponse(/\.net$/);
    await page.goto('/#/analyse/impasse');
    await refused;
    await expect(engineLines(page).first()).toBeVisible({ timeout: 20_000 });
  });
}
