/** A person who has a keyboard and nothing else. */
import { expect, type Page } from '@playwright/test';
import { movesPlayed } from './helpers';

/** Goes on with Tab until something has the focus. */
export async function tabTo(
  page: Page,
  role: 'link' | 'button' | 'slider' | 'textbox',
  name: string | RegExp,
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  await expect(wanted).toBeVisible();
  for (let i = 0; i < 60; i += 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(name)} cannot be reached with Tab`);
}

export async function tabToBoard(page: Page): Promise<void> {
  const grid = page.getByRole('grid');
  await expect(grid).toBeVisible();
  const onBoard = () => grid.evaluate((one) => one.contains(document.activeElement));
  for (let i = 0; i < 40 && !(await onBoard()); i += 1) await page.keyboard.press('Tab');
}

/** Makes a move; the focus is on the board. */
export async function makeMoveByKeys(page: Page): Promise<void> {
  const before = await movesPlayed(page);
  for (let choice = 0; choice < 4 && (await movesPlayed(page)) === before; choice += 1) {
    await chooseByKeys(page, before);
    await page.waitForTimeout(50);
  }
  await expect.poll(() => movesPlayed(page)).toBeGreaterThan(before);
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
    // A warning has the keyboard until it is answered; then the board has it again.
    if (await page.getByRole('button', { name: 'Play anyway' }).isVisible()) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => movesPlayed(page), { intervals: [20] }).toBeGreaterThan(before);
      return;
    }
    // The focus must stay on the board, or people who use keys are lost.
    if (way === 'lost') throw new Error(`the focus is on "${await spoken(page)}"`);
    if (way === undefined) {
      // The move is complete, or what may follow is being asked for.
      if ((await movesPlayed(page)) > before) return;
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
