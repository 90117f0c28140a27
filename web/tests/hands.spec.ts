import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, watch } from './helpers';

const person = { kind: 'person' };
const engine = (level: number) => ({ kind: 'engine', level });

async function withGame(page: Page, game: Record<string, unknown>): Promise<void> {
  const whole = {
    version: 1,
    id: 'one',
    name: '',
    moves: [],
    players: [person, person],
    seed: 1,
    created: 1,
    updated: 1,
    ...game,
  };
  await page.addInitScript(
    ([id, text]) => {
      if (localStorage.getItem(`stoa.game.${id}`) === null)
        localStorage.setItem(`stoa.game.${id}`, text as string);
    },
    [whole.id, JSON.stringify(whole)],
  );
}

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true });

  test('a move on small targets waits for a yes', async ({ page }) => {
    const { problems } = watch(page);
    await withGame(page, { game: 'palisade:19' });
    await page.goto('/#/play/g/one');
    await page.locator('[data-name="e5"]').tap();
    const play = page.getByRole('button', { name: 'Play e5' });
    await expect(play).toBeVisible();
    await expect(page.locator('ol li')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await expect(play).toHaveCount(0);
    await page.locator('[data-name="g7"]').tap();
    await page.getByRole('button', { name: 'Play g7' }).tap();
    await expect(page.locator('ol li')).toHaveText(/g7/);
    expect(problems).toEqual([]);
  });

  test('a finger that rests sees what is under it', async ({ page, context }) => {
    await withGame(page, { game: 'palisade:19' });
    await page.goto('/#/play/g/one');
    const box = await page.locator('[data-name="i9"]').boundingBox();
    if (!box) throw new Error('no cell');
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const session = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: (typeof point)[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [point]);
    await expect(page.locator('.loupe')).toBeVisible();
    await touch('touchMove', [{ ...point, x: point.x + 2 * box.width }]);
    await touch('touchEnd', []);
    await expect(page.locator('.loupe')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Play k9' })).toBeVisible();
  });

  test('every page is within reach, and the board of a lesson is seen', async ({ page }) => {
    await page.goto('/#/learn/impasse/start');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect(links.filter({ visible: true })).toHaveCount(6);
    for (const link of await links.filter({ visible: true }).all())
      await expect(link).toBeInViewport();
    const board = page.locator('svg.board');
    await expect(board).toBeVisible();
    expect((await board.boundingBox())?.y).toBeLessThan(330);
  });
});

test('a move that loses at once is played only if it is meant', async ({ page }) => {
  const { problems } = watch(page);
  await withGame(page, { game: 'colossus', players: [person, engine(2)] });
  await page.goto('/#/play/g/one');
  const lose = async () => {
    await page.locator('[data-name="a1"]').click();
    await page.locator('[data-name="c1"].possible').click();
    await expect(page.getByRole('alert')).toContainText('a1-c1 loses at once.');
  };
  await lose();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose another move' }).click();
  await expect(page.locator('ol li')).toHaveCount(0);
  await lose();
  await page.getByRole('button', { name: 'Play anyway' }).click();
  await expect(page.getByRole('heading', { name: 'You lost' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play the other side' })).toBeVisible();
  expect(problems).toEqual([]);
});

test('warnings can be turned off', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('stoa.settings', '{"warnings":false}'));
  await withGame(page, { game: 'colossus', players: [person, engine(2)] });
  await page.goto('/#/play/g/one');
  await page.locator('[data-name="a1"]').click();
  await page.locator('[data-name="c1"].possible').click();
  await expect(page.getByRole('heading', { name: 'You lost' })).toBeVisible();
});

test('a won game says so and what may come next', async ({ page }) => {
  await withGame(page, {
    game: 'impasse',
    start: '7b/8/8/8/8/2w5/8/8 b',
    moves: ['h8-g7', 'c3-f6', 'g7-h6', 'f6-d8', 'h6-d2'],
    players: [person, engine(3)],
  });
  await page.goto('/#/play/g/one');
  await page.locator('[data-name="d8"].possible').click();
  await expect(page.getByRole('heading', { name: 'You won!' })).toBeVisible();
  await expect(page.getByText('White wins: all checkers are gone.', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Play level 4' }).click();
  await expect(page).toHaveTitle(/^Impasse, against level 4, Regular – Play – Stoa$/);
});

test('a clock that runs out ends the game', async ({ page }) => {
  await withGame(page, {
    game: 'impasse',
    moves: ['d2-b4', 'e7-g5'],
    players: [person, engine(1)],
    clock: { control: { initial: 60_000, increment: 1000 }, left: [900, 60_000] },
  });
  await page.goto('/#/play/g/one');
  await expect(page.getByRole('timer')).toHaveCount(2);
  await expect(
    page.getByText('Black wins: White ran out of time.', { exact: true }).first(),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You lost' })).toBeVisible();
});

test('games are found again, and named in the language of the page', async ({ page }) => {
  for (const [id, level] of [...'abcdef'].map((id, i) => [id, i + 1] as const)) {
    await withGame(page, { id, game: 'impasse', players: [person, engine(level)] });
  }
  await page.goto('/#/play');
  await expect(page.getByRole('link', { name: 'Impasse, against level 3, Novice' })).toBeVisible();
  await page.getByRole('button', { name: 'Star Impasse, against level 2, Visitor' }).click();
  await page.getByText('Starred', { exact: true }).click();
  await expect(page.getByRole('link', { name: /against level/ })).toHaveCount(1);
  await page.getByText('All', { exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search your games' }).fill('novice');
  await expect(page.getByRole('link', { name: /against level/ })).toHaveCount(1);
  await expectAccessible(page);
  // One with a name of its own still says what it is, and is found by it.
  await page.getByRole('button', { name: /^Rename/ }).click();
  await page.getByLabel('Name of the game').fill('My best');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(page.getByRole('link', { name: 'My best' })).toBeVisible();
  await expect(page.getByText('Impasse, against level 3, Novice')).toBeVisible();
  await page.getByRole('button', { name: /^Rename My best/ }).click();
  await page.getByLabel('Name of the game').fill('');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Impasse, against level 3, Novice' })).toBeVisible();
  await page.evaluate(() => localStorage.setItem('stoa.locale', 'es'));
  await page.reload();
  await expect(
    page
      .getByRole('link', { name: 'Impasse, contra el nivel 3, Aprendiz' })
      .or(page.getByRole('link', { name: /Impasse, contra el nivel 3/ }))
      .first(),
  ).toBeVisible();
});

test('the first arrow key moves, and ? lists the keys', async ({ page }) => {
  await withGame(page, { game: 'impasse' });
  await page.goto('/');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and mouse' })).toContainText(
    'from cell to cell',
  );
  await page.keyboard.press('Escape');
  await page.goto('/#/play/g/one');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const spoken = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  await page.keyboard.press('Tab');
  const first = await spoken();
  expect(first).toMatch(/possible/);
  await page.keyboard.press('ArrowUp');
  await expect.poll(spoken).not.toBe(first);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and mouse' })).toContainText(
    'Turn the board',
  );
});

test('the first page is a game: a move on it begins one', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Impasse', exact: true }).click();
  const board = page.getByRole('grid', { name: 'Impasse board' });
  await board.locator('[data-name="h2"]').click();
  await board.locator('[data-name="g3"].possible').click();
  await expect(page).toHaveURL(/#\/play\/g\//);
  await expect(page.getByRole('button', { name: 'Go to move 1, h2-g3' })).toBeVisible();
});
