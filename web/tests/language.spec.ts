import { expect, test } from '@playwright/test';
import { begin, expectAccessible, makeMove, possible, watch } from './helpers';

test('another language at once, and remembered', async ({ page }) => {
  const { problems } = watch(page);
  await begin(page, 'impasse');
  await makeMove(page, 1);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByText('Español').click();
  await expect(page.getByRole('heading', { name: 'Ajustes' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  // The game goes on where it was, in Spanish.
  await expect(page.getByText(/^Te toca\. Elige /).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Ir a la jugada 1/ })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Te toca\. Elige /).first()).toBeVisible();
  await expect(page).toHaveTitle(/Jugar/);
  await expect(possible(page).first()).toHaveAttribute('aria-label', /de Blancas, posible$/);
  expect(problems).toEqual([]);
});

test.describe('a Spanish browser', () => {
  test.use({ locale: 'es-MX' });
  test('is answered in Spanish, also on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const [address, heading] of [
      ['/', 'Juegos de pilas, muros y torres'],
      ['/#/play', 'Tus partidas'],
      ['/#/play/columna', 'Jugar a Columna'],
    ] as const) {
      await page.goto(address);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, address).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
    await page.getByRole('button', { name: 'Ajustes' }).click();
    await expect(page.getByRole('radio', { name: 'Español' })).toBeChecked();
  });
});

test.describe('a browser of a language that there is not', () => {
  test.use({ locale: 'fi-FI' });
  test('is answered in English', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Games of stacks');
  });
});
