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

/** What `Math.random` returns in games against the engine: its moves follow from it, so that every run plays the same. */
const LUCK = 0.3;

/** Begins a game with the weakest level; `at` is where the app is, if not where it usually is. */
export async function begin(page: Page, game: string, { level = 1, at = '/' } = {}): Promise<void> {
  await page.addInitScript((luck) => (Math.random = () => luck), LUCK);
  await page.goto(`${at}#/play/${game}`);
  await page.getByRole('slider').fill(String(level));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(possible(page).first()).toBeVisible();
}

/** What may be chosen now and how many moves there are, in one text that changes with every click. */
const choices = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const labels = [...document.querySelectorAll('.hit')].map(
      (cell) => `${cell.classList.contains('possible')}${cell.getAttribute('aria-label')}`,
    );
    return `${document.querySelectorAll('ol li').length} ${labels.join()}`;
  });

/** Does something on the board and waits until it has had an effect; returns `false` if `act` does. */
export async function andSee(page: Page, act: () => Promise<unknown>): Promise<boolean> {
  const before = await choices(page);
  if ((await act()) === false) return false;
  await expect.poll(() => choices(page), { intervals: [20] }).not.toBe(before);
  return true;
}

/**
 * Clicks one of those that may be clicked at this very moment, counted round and round. Returns whether
 * there was one: the move of the click before may be shown only now.
 */
const clickPossible = (page: Page, number: number): Promise<boolean> =>
  page.evaluate((number) => {
    const cells = document.querySelectorAll('.hit.possible');
    const chosen = cells[number % cells.length];
    return chosen?.dispatchEvent(new MouseEvent('click', { bubbles: true })) !== undefined;
  }, number);

/**
 * Clicks whatever may be clicked until a move is made; the choice depends on the number. A move that loses at
 * once is given up for another one, three times at most: whether the engine sees the win is up to its level,
 * and a test should not depend on it.
 */
export async function makeMove(page: Page, number: number): Promise<void> {
  const before = await movesPlayed(page);
  const finish = page.getByRole('button', { name: 'Finish the move' });
  const anyway = page.getByRole('button', { name: 'Play anyway' });
  const another = page.getByRole('button', { name: 'Choose another move' });
  let warnings = 0;
  const isMade = async () => (await movesPlayed(page)) > before;
  const canGoOn = async () =>
    (await isMade()) ||
    (await anyway.isVisible()) ||
    (await finish.isVisible()) ||
    (await possible(page).count()) > 0;
  let clicks = 0;
  for (let step = 0; step < 24; step += 1) {
    await expect.poll(canGoOn, { intervals: [20] }).toBe(true);
    if (await isMade()) return;
    if (await anyway.isVisible()) {
      warnings += 1;
      if (warnings > 3) {
        await andSee(page, () => anyway.click());
      } else {
        await another.click();
        await expect(another).toBeHidden();
        clicks = 0;
      }
      continue;
    }
    if (clicks > 0 && (await finish.isVisible())) {
      // It goes away by itself if the move before it was complete and is only now shown.
      await finish.click({ timeout: 1000 }).catch(() => undefined);
      continue;
    }
    const choice = number * 5 + warnings * 7 + clicks * 3;
    if (await andSee(page, () => clickPossible(page, choice))) clicks += 1;
  }
  await expect.poll(isMade, { intervals: [20] }).toBe(true);
}

/** Waits until it is the person's turn or the game is over; returns whether it continues. */
export async function myTurn(page: Page): Promise<boolean> {
  const over = page.getByRole('button', { name: 'Play again' });
  await expect(possible(page).first().or(over)).toBeVisible({ timeout: 20_000 });
  return !(await over.isVisible());
}

/** The pictures of the games, which are drawn as they come into view. */
export async function expectPictures(page: Page): Promise<void> {
  const pictures = page.locator('li .picture[data-game]');
  await expect(pictures).toHaveCount(5);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture.locator('svg.board')).toBeVisible();
  }
}

export async function expectAccessible(page: Page): Promise<void> {
  // A page whose script is still on its way has nothing to be judged.
  await expect(page.locator('h1').first()).toBeAttached();
  const { violations } = await new AxeBuilder(page).analyze();
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
  expect(told).toEqual([]);
}

/** Everything that is pressed, except links within a text, is as large as a finger needs it. */
export async function expectRoomForFingers(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const MIN_PX = 39.5;
    const told: string[] = [];
    for (const one of document.querySelectorAll<HTMLElement>('a, button, summary, input, select')) {
      const target = one.closest('label') ?? one;
      const { width, height } = target.getBoundingClientRect();
      const isHidden = width <= 16 || one.closest('.visually-hidden, .skip, svg') !== null;
      const isInText = one.tagName === 'A' && getComputedStyle(one).display === 'inline';
      if (!isHidden && !isInText && (width < MIN_PX || height < MIN_PX)) {
        told.push(`${one.outerHTML} ${width}×${height}`);
      }
    }
    return told;
  });
  expect(small).toEqual([]);
}
