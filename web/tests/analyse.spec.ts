import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible, possible, watch } from './helpers';

const tree = (page: Page): Locator => page.getByRole('group', { name: 'Moves and variations' });
const current = (page: Page): Locator => tree(page).locator('[aria-current]');
const engineLines = (page: Page): Locator =>
  page.getByRole('list', { name: 'Engine lines' }).getByRole('button');
const exactMoves = (page: Page): Locator =>
  page.getByRole('list', { name: 'Exact value of every move' }).getByRole('button');

/** Without engine and exact values: what is tested is quicker then. */
async function quiet(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (localStorage.getItem('stoa.analysis-settings') === null)
      localStorage.setItem('stoa.analysis-settings', '{"engine":false,"exact":false}');
  });
}

/** Plays a move by clicks on cells of these names. */
async function click(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await page.locator(`.hit.possible[data-name="${name}"]`).last().dispatchEvent('click');
  }
}

test('branch, comment, sign, promote, delete, undo; all of it is there after a reload', async ({
  page,
}) => {
  const { problems } = watch(page);
  await quiet(page);
  await page.goto('/#/analyse/impasse');
  await click(page, 'h2', 'g3');
  await expect(current(page)).toHaveText('h2-g3');
  await expect(page).toHaveURL(/analyse\/a\//);
  await page.keyboard.press('ArrowLeft');
  await expect(current(page)).toHaveText('Start');
  await click(page, 'd2', 'e3');
  await expect(current(page)).toHaveText('d2-e3');
  await expect(tree(page).getByRole('group', { name: 'Variation' })).toContainText('d2-e3');
  await page.keyboard.press('ArrowUp');
  await expect(current(page)).toHaveText('h2-g3');
  await page.keyboard.press('ArrowDown');
  await expect(current(page)).toHaveText('d2-e3');

  await page.getByRole('button', { name: 'Good move', exact: true }).click();
  await page.getByLabel('Comment').fill('Straight on.');
  await expect(tree(page)).toContainText('Straight on.');
  await page.getByRole('button', { name: 'Make main line' }).click();
  await expect(tree(page).getByRole('group', { name: 'Variation' })).toContainText('h2-g3');

  await page.getByRole('button', { name: 'Delete from here' }).click();
  await expect(tree(page)).not.toContainText('d2-e3');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(current(page)).toHaveText('d2-e3!');

  const before = await tree(page).innerText();
  await page.reload();
  await expect(current(page)).toHaveText('d2-e3!');
  expect(await tree(page).innerText()).toBe(before);

  // The record and the link carry it all.
  await page.getByRole('button', { name: 'Share' }).click();
  const record = page.getByLabel('The record');
  await expect(record).toHaveValue(/1\. d2-e3! \{Straight on\.\}\s+\(1\. h2-g3\)/);
  const text = await record.inputValue();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Analyse something else' }).click();
  await expect(page.getByRole('link', { name: /Impasse,/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Open text or a file' }).fill(text);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(/analyse\?g=z/);
  await expect(tree(page)).toContainText('Straight on.');
  await expect(tree(page).getByRole('group', { name: 'Variation' })).toContainText('h2-g3');
  expect(problems).toEqual([]);
});

test('a move has a menu of its own, for the mouse and for keys', async ({ page }) => {
  const { problems } = watch(page);
  await quiet(page);
  await page.goto('/#/analyse/impasse');
  await click(page, 'h2', 'g3');
  await expect(current(page)).toHaveText('h2-g3');
  await page.keyboard.press('ArrowLeft');
  await expect(current(page)).toHaveText('Start');
  await click(page, 'd2', 'e3');
  await expect(current(page)).toHaveText('d2-e3');
  const move = (text: string) => tree(page).getByRole('button', { name: text });
  const menu = page.getByRole('menu', { name: 'Actions for this move' });
  const item = (name: string) => menu.getByRole('menuitem', { name });
  const variation = tree(page).getByRole('group', { name: 'Variation' });
  await move('h2-g3').click({ button: 'right' });
  await expect(item('Make main line')).toBeDisabled();
  await expect(item('Copy the moves up to here')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(move('h2-g3')).toBeFocused();
  // The move that is shown stays the one that is shown.
  await expect(current(page)).toHaveText('d2-e3');
  await move('d2-e3').focus();
  await page.keyboard.press('Shift+F10');
  await expect(item('Make main line')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(item('Delete from here')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(menu).toHaveCount(0);
  await expect(variation).toContainText('h2-g3');
  await move('h2-g3').click({ button: 'right' });
  await page.getByRole('heading').first().click({ force: true });
  await expect(menu).toHaveCount(0);
  await move('h2-g3').click({ button: 'right' });
  await item('Delete from here').click();
  await expect(tree(page)).not.toContainText('h2-g3');
  await expect(tree(page)).toContainText('d2-e3');
  expect(problems).toEqual([]);
});

test('the engine shows its lines, and one of them becomes moves', async ({ page }) => {
  const { problems } = watch(page);
  await page.goto('/#/analyse/impasse');
  await expect(engineLines(page).nth(2)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/^Depth \d+$/)).toBeVisible();
  await expect(page.locator('.overlay .best')).toBeAttached();
  await page.getByLabel('Number of lines').selectOption('1');
  const list = page.getByRole('list', { name: 'Engine lines' }).getByRole('listitem');
  await expect(list).toHaveCount(1);
  await expect(engineLines(page).nth(1)).toBeAttached({ timeout: 20_000 });
  // Looking at a line shows it on the board; clicking plays it.
  await engineLines(page).first().hover();
  await expect(page.getByText(/^Preview/)).toBeVisible();
  await page.getByRole('switch', { name: 'Engine' }).hover();
  await expect(page.getByText('White to move')).toBeVisible();
  const second = engineLines(page).nth(1);
  const label = (await second.getAttribute('aria-label')) ?? '';
  await second.click();
  const wanted = label.replace('Play ', '').split(' ');
  await expect(current(page)).toContainText(/\S/);
  expect(wanted.length).toBe(2);
  await expect(tree(page).getByRole('button')).toHaveCount(3);
  // Nobody looks at a hidden page: the engine rests, and goes on afterwards.
  const show = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await expect(engineLines(page).first()).toBeVisible();
  await show('hidden');
  await expect(engineLines(page)).toHaveCount(0);
  await show('visible');
  await expect(engineLines(page).first()).toBeVisible({ timeout: 20_000 });
  await page.getByRole('switch', { name: 'Engine' }).uncheck();
  await expect(engineLines(page)).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('the evaluation graph of a line, by mouse and keys', async ({ page }) => {
  await quiet(page);
  await page.goto('/#/analyse');
  await page
    .getByRole('textbox', { name: 'Open text or a file' })
    .fill('game: colonnade\n\n1. 1b< 1g>\n2. 2c> 1b>\n');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('button', { name: 'Draw the evaluation graph' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const graph = page.getByRole('slider', { name: 'Evaluation graph' });
  await expect(graph).toBeVisible({ timeout: 30_000 });
  await graph.focus();
  await page.keyboard.press('ArrowRight');
  await expect(graph).toHaveAttribute('aria-valuenow', '1');
  await expect(current(page)).toHaveText('1b<');
  await page.keyboard.press('End');
  await expect(current(page)).toHaveText('1b>');
  await graph.click({ position: { x: 2, y: 20 } });
  await expect(current(page)).toHaveText('Start');
  await page.reload();
  await expect(graph).toBeVisible();
});

test('Colonnade has exact values, marked as exact', async ({ page }) => {
  const { problems } = watch(page);
  await page.addInitScript(() =>
    localStorage.setItem('stoa.analysis-settings', '{"engine":false}'),
  );
  await page.goto('/#/analyse/colonnade');
  const section = page.getByRole('region', { name: 'Exact values' });
  await expect(section.getByText('exact', { exact: true })).toBeVisible();
  await expect(section.locator('ul[aria-busy="false"]')).toBeVisible({ timeout: 30_000 });
  const moves = await exactMoves(page).count();
  expect(moves).toBeGreaterThan(10);
  expect(await exactMoves(page).allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringMatching(/win|loss/)]),
  );
  // Walking quickly through positions ends with the values of the last one.
  await exactMoves(page).first().click();
  await expect(current(page)).not.toHaveText('Start');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(current(page)).toHaveText('Start');
  await expect(section.locator('ul[aria-busy="false"]')).toBeVisible({ timeout: 30_000 });
  await expect(exactMoves(page)).toHaveCount(moves);
  // Near the end the number of plies is known, and the best move is first.
  await page.goto('/#/analyse/colonnade?p=r/r/-/-/-/-/-/-_r');
  await expect(exactMoves(page).first()).toHaveText(/1b<\s*win in 1/);
  await exactMoves(page).first().click();
  await expect(page.getByText(/Red wins/).first()).toBeVisible();
  expect(problems).toEqual([]);
});

test('the editor says why a position is not possible, in every game', async ({ page }) => {
  const { problems } = watch(page);
  const verdict = page.locator('.verdict');
  const piece = (name: string) => page.getByRole('radio', { name });
  const put = (cell: string) =>
    page.locator(`.hit[data-name="${cell}"]`).last().dispatchEvent('click');

  await page.goto('/#/analyse/edit/colonnade');
  await piece('Red checker').check({ force: true });
  await put('b');
  await expect(verdict).toContainText('same colour');
  await expect(verdict).toContainText('25 checkers');
  await expect(page.getByRole('button', { name: 'Analyse this position' })).toBeDisabled();
  await page.reload();
  await expect(verdict).toContainText('25 checkers');
  await piece('Remove').check({ force: true });
  await put('b');
  await expect(verdict).toContainText('This position is possible.');

  await page.goto('/#/analyse/edit/palisade:5');
  await put('b1');
  await expect(verdict).toContainText('b1 can hold no stone of Black');

  await page.goto('/#/analyse/edit/columna');
  await piece('White pawn').check({ force: true });
  await put('a1');
  await expect(verdict).toContainText('both pawns stand on a1');
  await page.getByLabel('Turns without progress').fill('41');
  await page.getByLabel('Turns without progress').blur();
  await expect(verdict.getByRole('listitem')).toHaveCount(2);

  await page.goto('/#/analyse/edit/colossus');
  await page.getByLabel('Towers in the supply').fill('9');
  await page.getByLabel('Towers in the supply').blur();
  await expect(verdict).toContainText('only 9 exist');

  // The text and the board are the same thing.
  await page.goto('/#/analyse/edit/impasse');
  const text = page.getByLabel('Position as text');
  await page.getByRole('button', { name: 'Clear the board' }).click();
  await expect(text).toHaveValue('8/8/8/8/8/8/8/8 w');
  await piece('White double').check({ force: true });
  await put('c3');
  await expect(text).toHaveValue('8/8/8/8/8/2W5/8/8 w');
  await text.fill('8/8/8/8/8/2W5/8/6b');
  await expect(page.getByText(/Expected: /)).toBeVisible();
  await text.fill('8/8/8/8/8/2W5/8/6b1 b');
  await expect(verdict).toContainText('This position is possible.');
  await expect(page.getByRole('gridcell', { name: /^g1, Black single/ })).toBeAttached();
  await page.getByRole('button', { name: 'Analyse this position' }).click();
  await expect(page.getByText('Black to move')).toBeVisible();
  expect(problems).toEqual([]);
});

test('broken links and wrong texts are answered kindly', async ({ page }) => {
  await quiet(page);
  for (const link of ['?g=zAAAA', '?g=', '/chess', '/chess?p=8/8']) {
    await page.goto('about:blank');
    await page.goto(`/#/analyse${link}`);
    await expect(page.getByRole('alert')).toContainText('This link is broken');
    await expect(page.getByRole('link', { name: 'From the start' })).toBeVisible();
  }
  await page.goto('/#/analyse/colonnade?p=-/-/-/-/-/-/-/rr_r');
  await expect(page.getByRole('alert')).toContainText('have the same colour');
  await page.goto('/#/analyse/a/none');
  await expect(page.getByRole('alert')).toContainText('There is no such analysis');
  await page.evaluate(() => localStorage.setItem('stoa.analysis.broken', '{"version":1'));
  await page.goto('/#/analyse/a/broken');
  await expect(page.getByRole('alert')).toContainText('cannot be read');
  await page.getByRole('textbox', { name: 'Open text or a file' }).fill('no such thing');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('This cannot be opened:')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('stoa.analysis.broken'))).toBe(
    '{"version":1',
  );
});

test('a file is opened, and a played game too', async ({ page }) => {
  await quiet(page);
  await page.goto('/#/analyse');
  await page.locator('input[type=file]').setInputFiles({
    name: 'game.stoa',
    mimeType: 'text/plain',
    buffer: Buffer.from('game: palisade:5\nblack: Ada\nwhite: Grace\n\n1. a1 {first} b1\n'),
  });
  await expect(tree(page)).toContainText('first');
  const saved = {
    version: 1,
    id: 'played',
    name: 'Played',
    game: 'colonnade',
    moves: ['1b<', '1g>'],
    players: [{ kind: 'person' }, { kind: 'person' }],
    seed: 1,
    created: 1,
    updated: 1,
  };
  await page.evaluate(
    (game) => localStorage.setItem('stoa.game.played', game),
    JSON.stringify(saved),
  );
  await page.goto('/#/play/g/played');
  await page.locator('main').getByRole('link', { name: 'Analyse', exact: true }).click();
  await expect(current(page)).toHaveText('1g>');
});

test('everything by keyboard, and read out', async ({ page }) => {
  await quiet(page);
  await page.goto('/#/analyse/palisade:5');
  await expect(possible(page).first()).toBeVisible();
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  const inGrid = () =>
    page.getByRole('grid').evaluate((one) => one.contains(document.activeElement));
  for (let i = 0; i < 20 && !(await inGrid()); i += 1) await page.keyboard.press('Tab');
  // Every other point is the other player's.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(current(page)).not.toHaveText('Start');
  await expect(page.locator('[role=status]').first()).toContainText('Black:');
  // Walking along the moves from the list.
  await current(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(current(page)).toHaveText('Start');
  await expect(current(page)).toBeFocused();
});

for (const theme of ['light', 'dark'] as const) {
  test(`accessible, and nothing wider than a small phone (${theme})`, async ({ page }) => {
    await quiet(page);
    await page.emulateMedia({ colorScheme: theme });
    const record =
      'game: columna\n\n{Opening words} 1. a4@d4! i4@h4 (1... i5@h5 {hm} 2. a5,d4-d5)\n';
    await page.goto('/#/analyse');
    await page.getByRole('textbox', { name: 'Open text or a file' }).fill(record);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(tree(page)).toContainText('hm');
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBeLessThanOrEqual(320);
    await page.getByRole('switch', { name: 'Engine' }).check();
    await expect(engineLines(page).first()).toBeVisible({ timeout: 20_000 });
    expect(await width()).toBeLessThanOrEqual(320);
    await expectAccessible(page);
    await page.goto('/#/analyse/edit/columna');
    await expect(page.getByLabel('Position as text')).toBeVisible();
    expect(await width()).toBeLessThanOrEqual(320);
    await expectAccessible(page);
  });
}
