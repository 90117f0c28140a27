import { expect, test } from '@playwright/test';
import { expectAccessible, watch } from './helpers';

test('the report on a game answers in words and shows the figures', async ({ page }) => {
  const { problems } = watch(page);
  await page.goto('/#/rules/palisade');
  await page.getByRole('link', { name: 'Report for designers' }).click();
  await expect(page).toHaveURL(/report\/palisade$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Palisade: what kind of game it is',
  );
  await expect(page.getByText(/^The first player \(Black\) scores \d+(\.\d+)?\s±\s/)).toBeVisible();
  await expectAccessible(page);

  // Another board has other figures, and certain ones.
  const command = page.locator('footer code');
  await page.getByRole('radio', { name: 'Palisade 5 × 5' }).check({ force: true });
  await expect(command).toContainText('stoa report palisade:5 ');
  await expect(page.getByText('With best play Black wins. This is certain.')).toBeVisible();

  // Values are read by pointing and by the keyboard.
  const mark = page.getByRole('group', { name: /^How many games take/ }).getByRole('img');
  const plot = page.locator('figure').filter({ hasText: 'How many games take' });
  await mark.first().hover();
  const first = await plot.locator('.shown').textContent();
  expect(first).toMatch(/^\d+(–\d+)?: \d+$/);
  await mark.nth(1).focus();
  await expect(plot.locator('.shown')).not.toHaveText(first ?? '');
  await expect(mark.nth(1)).toHaveAccessibleName(await plot.locator('.shown').innerText());
  expect(problems).toEqual([]);
});

test('examples open in analysis', async ({ page }) => {
  await page.goto('/#/report/impasse');
  const example = page.getByRole('link', { name: /^The shortest game: \d+ turns/ });
  expect(Number(/(\d+) turns/.exec(await example.innerText())?.[1])).toBeGreaterThan(20);
  await example.click();
  await expect(page).toHaveURL(/analyse/);
  await expect(page.locator('svg.board')).toBeVisible();
});

test('the report on a solved game is exact, in Spanish too', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('stoa.locale', 'es'));
  await page.goto('/#/report/colonnade');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Colonnade: qué clase de juego es',
  );
  await expect(
    page.getByText(/Con el mejor juego ganan .+ tras 20 turnos\. Es seguro\./),
  ).toBeVisible();
  await expect(page.getByRole('group', { name: /^Cuántas de todas las posiciones/ })).toBeVisible();
  await expectAccessible(page);
});

test('the first page of reports leads to all games', async ({ page }) => {
  await page.goto('/#/report');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What kind of games these are');
  await page
    .getByRole('link', { name: /Colossus/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Colossus/);
});
