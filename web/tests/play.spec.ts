import { expect, test } from '@playwright/test';
import {
  begin,
  expectAccessible,
  expectPictures,
  makeMove,
  movesPlayed,
  myTurn,
  possible,
  watch,
} from './helpers';

for (const game of ['impasse', 'palisade', 'columna', 'colossus']) {
  test(`some moves of ${game}, taken back and played again`, async ({ page }) => {
    const { problems } = watch(page);
    await begin(page, game);
    await makeMove(page, 1);
    expect(await myTurn(page)).toBe(true);
    const played = await movesPlayed(page);
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => movesPlayed(page)).toBe(0);
    await makeMove(page, 1);
    expect(await myTurn(page)).toBe(true);
    expect(await movesPlayed(page)).toBe(played);
    await page.getByRole('button', { name: 'Hint' }).click();
    await expect(page.getByText(/^The engine would play/).first()).toBeVisible();
    await expect(page.locator('.advised').first()).toBeAttached();
    expect(problems).toEqual([]);
  });
}

test('nothing is lost on reload', async ({ page }) => {
  await begin(page, 'colonnade');
  await makeMove(page, 2);
  await myTurn(page);
  const moves = await page.locator('ol').innerText();
  await page.reload();
  await expect(possible(page).first()).toBeVisible();
  expect(await page.locator('ol').innerText()).toBe(moves);
  await makeMove(page, 3);
});

test('a move by keyboard alone', async ({ page }) => {
  await page.goto('/');
  const heading = page.getByRole('link', { name: 'Impasse', exact: true });
  await heading.focus();
  await page.keyboard.press('Enter');
  const play = page.getByRole('button', { name: 'Play', exact: true });
  await expect(play).toBeVisible();
  for (
    let i = 0;
    i < 30 && !(await play.evaluate((one) => one === document.activeElement));
    i += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const grid = page.getByRole('grid');
  await expect(grid).toBeVisible();
  for (let i = 0; i < 30; i += 1) {
    if (await grid.evaluate((one) => one.contains(document.activeElement))) break;
    await page.keyboard.press('Tab');
  }
  const spoken = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  // Along the rows to the single on h2, and from there one square ahead.
  for (let i = 0; i < 20 && !(await spoken()).startsWith('h2'); i += 1) {
    const [file, rank] = [...(await spoken())];
    const key =
      file !== 'h' && file !== 'g'
        ? 'ArrowRight'
        : rank === '2'
          ? 'ArrowRight'
          : Number(rank) > 2
            ? 'ArrowDown'
            : 'ArrowUp';
    await page.keyboard.press(key);
  }
  expect(await spoken()).toMatch(/^h2, White single/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.locator('.clicked')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-name="g3"].possible')).toBeAttached();
  await page.keyboard.press('ArrowUp');
  expect(await spoken()).toMatch(/^g3, empty, possible/);
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Go to move 1, h2-g3' })).toBeVisible();
  await expect(page.getByRole('status')).toContainText('White: h2-g3');
});

test('a piece can be dragged', async ({ page }) => {
  await begin(page, 'impasse');
  await page.locator('[data-name="h2"]').hover();
  await page.mouse.down();
  await page.locator('[data-name="g3"]').hover();
  await page.locator('[data-name="f4"]').hover();
  await page.mouse.up();
  await expect(page.getByRole('button', { name: 'Go to move 1, h2-f4' })).toBeVisible();
});

test('a click that is not legal is explained with its rule', async ({ page }) => {
  const { problems } = watch(page);
  await begin(page, 'palisade');
  await page.locator('[data-name="b1"]').click();
  await expect(
    page.getByText('Not possible: only White may put a stone on b1 (clause 2).').first(),
  ).toBeVisible();
  await makeMove(page, 1);
  expect(problems).toEqual([]);
});

test('home and play have no barriers', async ({ page }) => {
  await page.goto('/');
  // The one that can be played here.
  await expect(page.locator('svg.board').first()).toBeVisible();
  await expectPictures(page);
  await expectAccessible(page);
  for (const game of ['colonnade', 'columna']) {
    await page.goto(`/#/play/${game}`);
    await expect(page.locator('svg.board')).toBeVisible();
    await expectAccessible(page);
    await begin(page, game);
    await expectAccessible(page);
  }
  await page.goto('/#/play');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Settings' }).click();
  await expectAccessible(page);
});

test('a phone shows everything without scrolling sideways', async ({ page }, info) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const address of ['/', '/#/play', '/#/play/palisade']) {
    await page.goto(address);
    await page.waitForTimeout(300);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow(), address).toBeLessThanOrEqual(0);
  }
  await begin(page, 'columna');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await info.attach('phone', { body: await page.screenshot(), contentType: 'image/png' });
});
