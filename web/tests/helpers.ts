import { AxeBuilder } from './axe';
import { expect, type Locator, type Page } from '@playwright/test';

/** Fails the test if the page says that something is wrong, or asks another host for anything. */
export function watch(page: Page): { problems: string[] } {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(request.url());
  });
  return { problems };
}

/** What may be clicked on the board now. */
export const possible = (page: Page): Locator => page.locator('.hit.possible');

/** How many moves the list shows. */
export const movesPlayed = (page: Page): Promise<number> => page.locator('ol li').count();

/** Begins a game with the weakest level; `at` is where the app is, if not where it usually is. */
export async function begin(page: Page, game: string, level = 1, at = '/'): Promise<void> {
  await page.goto(`${at}#/play/${game}`);
  await page.getByRole('slider').fill(String(level));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(possible(page).first()).toBeVisible();
}

/** Clicks whatever may be clicked until a move is made; the choice depends on the number. */
export async function makeMove(page: Page, number: number): Promise<void> {
  const before = await movesPlayed(page);
  for (let click = 0; click < 6 && (await movesPlayed(page)) === before; click += 1) {
    const finish = page.getByRole('button', { name: 'That is the whole move' });
    if (click > 0 && (await finish.isVisible())) {
      // It goes away by itself if the move before it was complete and is only now shown.
      await finish.click({ timeout: 1000 }).catch(() => undefined);
      continue;
    }
    const choices = possible(page);
    const count = await choices.count();
    if (count === 0) break;
    await choices.nth((number * 5 + click * 3) % count).dispatchEvent('click');
    await page.waitForTimeout(30);
  }
  await expect.poll(() => movesPlayed(page), { intervals: [20] }).toBeGreaterThan(before);
}

/** Waits until it is the person's turn or the game is over; tells whether it goes on. */
export async function myTurn(page: Page): Promise<boolean> {
  const over = page.getByRole('button', { name: 'Play again' });
  await expect(possible(page).first().or(over)).toBeVisible({ timeout: 20_000 });
  return !(await over.isVisible());
}

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder(page).analyze();
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
  expect(told).toEqual([]);
}
