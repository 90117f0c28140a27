import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { ask } from '../src/pages/rules/testing';
import { expectAccessible, watch } from './helpers';

/** Moves of Impasse, as many as wanted: whatever is legal, the same every time. */
function longGame(count: number): string[] {
  for (let seed = 1; seed < 200; seed += 1) {
    let [chance, { position, outcome }] = [seed, ask('state', { game: 'impasse' })];
    const moves: string[] = [];
    while (outcome === null && moves.length < count) {
      const legal = ask('moves', { game: 'impasse', position });
      chance = (chance * 69069 + 1) % 2 ** 32;
      const move = legal[Math.floor((chance / 2 ** 32) * legal.length)] ?? '';
      moves.push(move);
      ({ position, outcome } = ask('play', { game: 'impasse', position, move }).state);
    }
    if (moves.length === count) return moves;
  }
  throw new Error('no game is so long');
}

async function withGame(page: Page, moves: string[]): Promise<void> {
  const person = { kind: 'person' };
  const game = {
    version: 1,
    id: 'shared',
    name: 'A <b>game</b>',
    game: 'impasse',
    moves,
    players: [person, person],
    seed: 1,
    created: 1,
    updated: 1,
  };
  await page.addInitScript(
    (text) => localStorage.setItem('stoa.game.shared', text),
    JSON.stringify(game),
  );
  await page.goto('/#/play/g/shared');
  await page.getByRole('button', { name: 'Share' }).click();
}

async function saved(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 120_000 }),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFile(await download.path());
}

test('a position as SVG and PNG', async ({ page }) => {
  const { problems } = watch(page);
  await withGame(page, longGame(6));
  await expectAccessible(page);
  const svg = (await saved(page, 'Save the picture (SVG)')).toString();
  expect(svg).toMatch(/^<svg[^>]* viewBox/);
  expect(svg).not.toContain('var(--');
  const png = await saved(page, 'Save the picture (PNG)');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // The width of the picture, which is in its header.
  expect(png.readUInt32BE(16)).toBe(1200);
  expect(problems).toEqual([]);
});

test('a game of 150 moves as an animation of less than a megabyte', async ({ page }) => {
  test.setTimeout(180_000);
  await withGame(page, longGame(150));
  const gif = await saved(page, 'Save an animation (GIF)');
  expect(gif.subarray(0, 6).toString()).toBe('GIF89a');
  expect(gif.length).toBeLessThan(1_000_000);
  // Every frame has an extension of its own: the start and 150 moves.
  expect(gif.toString('latin1').split('\x21\xf9\x04').length - 1).toBe(151);
});

test('boards in other pages', async ({ page }) => {
  const { problems } = watch(page);
  await withGame(page, longGame(6));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy code to embed the game' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain('title="A &lt;b>game&lt;/b>"');
  await page.goto(/src="([^"]+)"/.exec(code)?.[1]?.replaceAll('&amp;', '&') ?? '');
  await expect(page.locator('svg.board')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('button', { name: 'Go to the end' }).click();
  await expect(page.getByRole('button', { name: 'One move forward' })).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Open in Stoa' })).toHaveAttribute(
    'href',
    /#\/analyse\?g=/,
  );
  await expectAccessible(page);
  for (const address of [
    '/#/embed/no-such-game',
    '/#/embed?g=zdamaged',
    '/#/embed/puzzle/impasse/none',
  ]) {
    await page.goto(address);
    await expect(page.getByRole('alert')).toBeVisible();
  }
  expect(problems).toEqual([]);
});

test('an element for other pages', async ({ page }) => {
  await page.route('**/other-page', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><script type="module" src="/stoa-board.js"></script>
        <stoa-board game="impasse" position="7b/8/8/8/8/2w5/8/8 b"></stoa-board>`,
    }),
  );
  await page.goto('/other-page');
  const board = page.frameLocator('stoa-board iframe');
  await expect(board.getByRole('img', { name: 'Impasse' })).toBeVisible();
  await expect(board.getByText('Black to move')).toBeVisible();
});
