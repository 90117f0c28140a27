import { expect, type Page, test } from '@playwright/test';
import { begin, makeMove, myTurn, watch } from './helpers';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Every way in which a game can end on the board. */
const ENDED = /(wins|Draw): .*\.$/;

/** Turns of one's own in which these games end surely enough. */
const GAMES = { colonnade: 60, impasse: 150, palisade: 80, columna: 150, colossus: 150 };

for (const [game, turns] of Object.entries(GAMES)) {
  test(`a whole game of ${game} against the weakest level, by clicking`, async ({ page }) => {
    test.setTimeout(180_000);
    const { problems } = watch(page);
    await begin(page, game);
    let played = 0;
    while (played < turns && (await myTurn(page))) {
      await makeMove(page, played);
      played += 1;
    }
    await expect(page.getByText(ENDED).first()).toBeVisible();
    await page.goto('/#/play');
    await expect(page.getByRole('link', { name: /wins|Draw/ })).toBeVisible();
    expect(problems).toEqual([]);
  });
}

const spoken = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

/**
 * Walks over the board with the arrow keys to something that may be chosen, and chooses it, unless
 * there are more moves than before: then there is nothing to choose.
 */
async function chooseByKeys(page: Page, before: number): Promise<void> {
  let chance = 1;
  for (let step = 0; step < 200; step += 1) {
    if (/, possible/.test(await spoken(page))) {
      await page.keyboard.press('Enter');
      return;
    }
    // Towards the nearest one, as eyes would lead; every other step goes anywhere, for detours.
    const way = await page.evaluate(() => {
      const middle = (element: Element) => {
        const [x = 0, y = 0] = element.getAttribute('transform')?.match(/[\d.]+/g) ?? [];
        return [Number(x), Number(y)] as const;
      };
      const focused = document.activeElement;
      if (focused === null || !focused.classList.contains('hit')) return 'lost';
      const [x, y] = middle(focused);
      const goals = [...document.querySelectorAll('.hit.possible')].map(middle);
      const ways = goals.map(([ox, oy]) => [ox - x, oy - y] as const);
      return ways.sort((a, b) => Math.hypot(...a) - Math.hypot(...b))[0];
    });
    // The focus must stay on the board, or people who use keys are lost.
    if (way === 'lost') throw new Error(`the focus is on "${await spoken(page)}"`);
    if (way === undefined) {
      // The move is complete, or what may follow is being asked for.
      if ((await page.locator('ol li').count()) > before) return;
      await page.waitForTimeout(20);
      continue;
    }
    const [dx, dy] = way;
    const towards =
      Math.abs(dx) > Math.abs(dy)
        ? dx < 0
          ? 'ArrowLeft'
          : 'ArrowRight'
        : dy < 0
          ? 'ArrowUp'
          : 'ArrowDown';
    chance = (chance * 69069 + 1) % 2 ** 32;
    const anywhere = ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'][chance >>> 30] ?? '';
    await page.keyboard.press(step % 2 === 0 ? towards : anywhere);
  }
  throw new Error('nothing to choose was reached');
}

test('a whole game of Colonnade with the keyboard alone', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/');
  const tabTo = async (role: 'link' | 'button' | 'slider', name: string | RegExp) => {
    const wanted = page.getByRole(role, { name, exact: true });
    await expect(wanted).toBeVisible();
    for (let i = 0; i < 60; i += 1) {
      if (await wanted.evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${String(name)} cannot be reached with Tab`);
  };
  await tabTo('link', 'Colonnade');
  await page.keyboard.press('Enter');
  await tabTo('slider', 'Strength');
  await page.keyboard.press('Home');
  await tabTo('button', 'Play');
  await page.keyboard.press('Enter');
  const grid = page.getByRole('grid');
  await expect(grid).toBeVisible();
  const onBoard = () => grid.evaluate((one) => one.contains(document.activeElement));
  for (let i = 0; i < 40 && !(await onBoard()); i += 1) await page.keyboard.press('Tab');
  let turn = 0;
  for (; turn < 60 && (await myTurn(page)); turn += 1) {
    const moves = page.locator('ol li');
    const before = await moves.count();
    for (let click = 0; click < 4 && (await moves.count()) === before; click += 1) {
      await chooseByKeys(page, before);
      await page.waitForTimeout(50);
    }
    await expect.poll(() => moves.count()).toBeGreaterThan(before);
  }
  await expect(page.getByRole('status')).toContainText(/wins: the other player cannot move/);
  expect(turn).toBeGreaterThan(3);
});
