/** What hands do at a board: turning it, drawing on it, the wheel, single keys; and several tabs. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { begin, expectAccessible, makeMove, myTurn, watch } from './helpers';

const tree = (page: Page): Locator => page.getByRole('group', { name: 'Moves and variations' });
const current = (page: Page): Locator => tree(page).locator('[aria-current]');
const cell = (page: Page, name: string): Locator => page.locator(`.hit[data-name="${name}"]`);
const middle = async (where: Locator) => {
  const box = await where.boundingBox();
  if (!box) throw new Error('not to be seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

async function quiet(page: Page, engine = false): Promise<void> {
  await page.addInitScript((engine) => {
    const wanted = JSON.stringify({ engine, exact: false });
    if (localStorage.getItem('stoa.analysis-settings') === null)
      localStorage.setItem('stoa.analysis-settings', wanted);
  }, engine);
}
async function click(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await page.locator(`.hit.possible[data-name="${name}"]`).last().dispatchEvent('click');
  }
}

test('a board is turned with F or its button, and pieces are still where they say', async ({
  page,
}) => {
  const { problems } = watch(page);
  await quiet(page);
  for (const [game, corner, opposite] of [
    ['impasse', 'a1', 'h8'],
    ['palisade:7', 'a1', 'g7'],
    ['columna', 'a1', 'i9'],
    ['colossus', 'a1', 'g4'],
  ] as const) {
    await page.goto(`/#/analyse/${game}`);
    await expect(cell(page, corner)).toBeVisible();
    const [below, above] = [await middle(cell(page, corner)), await middle(cell(page, opposite))];
    await page.keyboard.press('f');
    await expect.poll(async () => (await middle(cell(page, corner))).y).toBeCloseTo(above.y, 0);
    expect((await middle(cell(page, opposite))).x).toBeCloseTo(below.x, 0);
    await page.getByRole('button', { name: 'Turn the board' }).click();
    await expect.poll(async () => (await middle(cell(page, corner))).y).toBeCloseTo(below.y, 0);
  }
  await page.goto('/#/analyse/colonnade');
  await expect(page.locator('.hit').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn the board' })).toBeHidden();
  expect(problems).toEqual([]);
});

test('the second player sits opposite, and may turn the board; it stays so', async ({ page }) => {
  await page.goto('/#/play/impasse');
  await page.getByText('Black, moving second').click();
  await page.getByRole('slider').fill('1');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await myTurn(page);
  const isTurned = async () =>
    (await middle(cell(page, 'a1'))).y < (await middle(cell(page, 'h8'))).y;
  expect(await isTurned()).toBe(true);
  await makeMove(page, 1);
  await page.keyboard.press('f');
  await expect.poll(isTurned).toBe(false);
  await page.reload();
  await expect(cell(page, 'a1')).toBeVisible();
  expect(await isTurned()).toBe(false);
});

test('the right button draws, a click wipes away, the wheel walks', async ({ page }) => {
  const { problems } = watch(page);
  await quiet(page);
  await page.goto('/#/analyse/impasse');
  await click(page, 'h2', 'g3');
  await click(page, 'e7', 'd6');
  await expect(current(page)).toHaveText('e7-d6');

  const [from, to] = [await middle(cell(page, 'c3')), await middle(cell(page, 'e5'))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x, to.y);
  await page.mouse.up({ button: 'right' });
  await expect(page.locator('.overlay path')).toHaveCount(1);
  await page.keyboard.down('Shift');
  await page.mouse.click(to.x, to.y, { button: 'right' });
  await page.keyboard.up('Shift');
  await expect(page.locator('.overlay circle.red')).toHaveCount(1);

  await page.mouse.wheel(0, -120);
  await expect(current(page)).toHaveText('h2-g3');
  await expect(page.locator('.overlay path')).toHaveCount(0);
  await page.mouse.wheel(0, 120);
  await expect(current(page)).toHaveText('e7-d6');
  await expect(page.locator('.overlay path')).toHaveCount(1);
  await page.mouse.click(from.x, from.y);
  await expect(page.locator('.overlay :is(path, circle)')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('single keys: the engine’s move, the threat, the list of keys, and switching them off', async ({
  page,
}) => {
  const { problems } = watch(page);
  await quiet(page, true);
  await page.goto('/#/analyse/impasse');
  await expect(page.locator('.mark.best').first()).toBeVisible({ timeout: 15_000 });
  await page.keyboard.press(' ');
  await expect(current(page)).not.toHaveText('Start');
  await page.keyboard.press('x');
  await expect(page.getByText(/If it were White’s turn: \S+/)).toBeVisible({ timeout: 15_000 });
  await expect(page.locator('.mark.threat').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('x');
  await expect(page.locator('.mark.threat')).toHaveCount(0);
  await page.keyboard.press('l');
  await expect(page.getByRole('switch', { name: 'Engine' })).not.toBeChecked();
  await page.keyboard.press('c');
  await expect(page.getByLabel('Comment')).toBeFocused();
  await page.keyboard.type('fx?');
  await expect(tree(page)).toContainText('fx?');
  await page.getByLabel('Comment').blur();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and mouse' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Letters as keyboard shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and mouse' })).toBeHidden();
  expect(problems).toEqual([]);
});

test('playing on from a position', async ({ page }) => {
  await quiet(page);
  await page.goto('/#/analyse/palisade:7');
  await click(page, 'd4');
  await page.getByRole('link', { name: 'Play from here' }).click();
  await expect(page.getByText('The game starts from this position.')).toBeVisible();
  await page.getByRole('slider').fill('1');
  await page.getByText('White, moving second').click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await myTurn(page);
  await makeMove(page, 1);
  await page.goto('/#/play/impasse?p=8/8_w');
  await expect(page.getByRole('alert')).toContainText('cannot be read');
});

test('two tabs with one analysis lose nothing', async ({ page, context }) => {
  await quiet(page);
  await page.goto('/#/analyse/impasse');
  await click(page, 'h2', 'g3');
  await expect(page).toHaveURL(/analyse\/a\//);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(current(other)).toHaveText('h2-g3');

  // What one does, the other sees; and both may go on.
  await page.getByLabel('Comment').fill('One.');
  await expect(tree(other)).toContainText('One.');
  await click(other, 'e7', 'd6');
  await expect(tree(page)).toContainText('e7-d6');
  await expect(current(page)).toHaveText('h2-g3');
  await other.close();

  // A tab that has heard nothing of a change makes a copy of its own.
  const id = page.url().split('/').pop() ?? '';
  await page.evaluate((key) => {
    const kept = JSON.parse(localStorage.getItem(key) ?? '') as {
      comment: string;
      updated: number;
    };
    localStorage.setItem(key, JSON.stringify({ ...kept, comment: 'Theirs.', updated: 1 }));
  }, `stoa.analysis.${id}`);
  await page.getByLabel('Comment').fill('Mine.');
  await expect(page.getByText('this is now a copy')).toBeVisible();
  expect(page.url()).not.toContain(id);
  const theirs = await page.evaluate((key) => localStorage.getItem(key), `stoa.analysis.${id}`);
  expect(theirs).toContain('Theirs.');
  await page.reload();
  await expect(tree(page)).toContainText('Mine.');
});

test('two tabs with one game: the second goes on, the first waits', async ({ page, context }) => {
  await begin(page, 'impasse');
  const other = await context.newPage();
  await other.goto(page.url());
  await myTurn(other);
  await makeMove(other, 1);
  await expect(page.getByText('This game continues in another tab.')).toBeVisible();
  await myTurn(other);
  await other.close();
  await page.getByRole('button', { name: 'Continue here' }).click();
  await myTurn(page);
  await expect(page.locator('ol li')).toHaveCount(2);
});

test('refusals, setups and texts are explained in Spanish', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('stoa.locale', 'es'));
  await quiet(page);
  await page.goto('/#/analyse/palisade:7');
  await expect(cell(page, 'b1')).toBeVisible();
  await cell(page, 'b1').dispatchEvent('click');
  await expect(page.locator('p.refused')).toContainText('No es posible: solo Blancas pueden poner');
  await page.goto('/#/analyse/edit/colonnade?p=rr/-/-/-/-/-/-/-_r');
  await expect(page.getByText('las fichas 1 y 2 de a son del mismo color')).toBeVisible();
  await expect(page.getByText('(cláusula 4)')).toBeVisible();
  await page.goto('/#/analyse/impasse?p=8/8_w');
  await expect(page.getByRole('alert')).toContainText('se puede leer a partir de la marca');
});

test('Columna shows what a pawn would see', async ({ page }) => {
  await quiet(page);
  await page.goto('/#/analyse/columna');
  const goal = await middle(cell(page, 'a4'));
  await expect(page.locator('.beam.look')).toHaveCount(0);
  await page.mouse.move(goal.x, goal.y);
  await expect(page.locator('.beam.look')).toHaveCount(1);
  await page.mouse.click(goal.x, goal.y);
  await page.mouse.move(5, 5);
  await expect(page.locator('.beam.look')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.locator('.beam.look')).toHaveCount(0);
});

test('who leaves the analysis board gets the memory of its workers back', async ({ page }) => {
  await page.goto('/#/analyse/colonnade');
  await expect.poll(() => page.workers().length).toBe(3);
  await page.getByRole('switch', { name: 'Exact values' }).uncheck();
  await expect.poll(() => page.workers().length).toBe(2);
  await page.goto('/#/');
  await expect.poll(() => page.workers().length).toBe(1);
});
