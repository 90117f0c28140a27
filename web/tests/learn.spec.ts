import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, watch } from './helpers';

const GAMES = ['colonnade', 'impasse', 'palisade', 'columna', 'colossus'];

const phase = (page: Page) => page.locator('[data-phase]').getAttribute('data-phase');

/** Does the step on the page, by the clicks that "Show me" marks. */
async function doStep(page: Page): Promise<void> {
  for (let turn = 0; turn < 3 && (await phase(page)) !== 'done'; turn += 1) {
    await page.getByRole('button', { name: 'Show me' }).click();
    const advised = page.locator('.hit.possible[aria-label*="recommended"]');
    await expect(advised.first()).toBeAttached();
    for (let click = 0; click < 6 && (await phase(page)) === 'asking'; click += 1) {
      const whole = page.getByRole('button', { name: 'Finish the move' });
      if ((await advised.count()) > 0) await advised.first().dispatchEvent('click');
      else if (await whole.isVisible()) await whole.click();
      await page.waitForTimeout(80);
    }
    await expect.poll(() => phase(page)).toMatch(/asking|done/);
  }
  expect(await phase(page)).toBe('done');
}

for (const game of GAMES) {
  test(`the lesson of ${game} from the first step to the end`, async ({ page }) => {
    const { problems } = watch(page);
    await page.goto(`/#/learn/${game}`);
    const steps = page.getByRole('navigation', { name: 'Steps of the lesson' }).getByRole('link');
    await expect(steps.first()).toBeVisible();
    const count = await steps.count();
    expect(count).toBeGreaterThanOrEqual(13);
    for (let step = 0; step < count; step += 1) {
      await expect(steps.nth(step)).toHaveAttribute('aria-current', 'step');
      await expect(page.locator('.hit.possible').first()).toBeAttached();
      await doStep(page);
      await expect(steps.nth(step)).toHaveAccessibleName(/, done$/);
      await page.getByRole('button', { name: 'Next' }).click();
    }
    await expect(page.getByRole('heading', { name: /^You can play / })).toBeFocused();
    await page.getByRole('link', { name: /^Play now against level 1/ }).click();
    await expect(page.getByRole('slider')).toHaveValue('1');
    await page.goto('/#/learn');
    await expect(page.getByText(`${count} of ${count} steps`)).toBeVisible();
    expect(problems).toEqual([]);
  });
}

test('a legal but different move is answered and put back', async ({ page }) => {
  await page.goto('/#/learn/impasse/bear-off');
  await page.locator('[data-name="e5"]').click();
  await page.locator('[data-name="d4"]').click();
  await expect(page.locator('.reply')).toContainText('Not home yet');
  await expect(page.getByRole('status')).toContainText('Not home yet');
  await expect(page.locator('[data-name="e5"]')).toHaveAccessibleName(/White double, possible/);
  await page.locator('[data-name="e5"]').click();
  await page.locator('[data-name="a1"]').click();
  await expect(page.locator('.reply')).toContainText('One checker fewer');
});

test('from a lesson to the rules and back', async ({ page }) => {
  await page.goto('/#/learn/impasse/crown');
  await page.getByRole('link', { name: 'Rules of Impasse' }).click();
  await expect(page.getByRole('heading', { name: 'Rules of Impasse' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Crown' })).toBeVisible();
  await expect(page).toHaveURL(/learn\/impasse\/crown$/);
});

test('a click that is not legal is explained by the rules', async ({ page }) => {
  await page.goto('/#/learn/palisade/white');
  await page.locator('[data-name="b2"]').click();
  await expect(page.locator('.reply')).toContainText('only Black may put a stone on b2 (clause 2)');
});

test('progress is kept on reload, and the lesson can be started again', async ({ page }) => {
  await page.goto('/#/learn/palisade');
  await expect(page).toHaveURL(/learn\/palisade\/start$/);
  await page.locator('[data-name="c3"]').click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'The other half' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The other half' })).toBeVisible();
  await page.goto('/#/learn');
  await expect(page.getByText('1 of 14 steps')).toBeVisible();
  await page.getByRole('link', { name: 'Continue: Palisade' }).click();
  await expect(page.getByRole('heading', { name: 'The other half' })).toBeVisible();
  await page.getByRole('button', { name: 'Restart the lesson' }).click();
  await expect(page.getByRole('link', { name: /, done$/ })).toHaveCount(0);
});

test('a step with the keyboard alone', async ({ page }) => {
  await page.goto('/#/learn/palisade/start');
  await page.locator('[role="grid"] [tabindex="0"]').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
});

test('damaged progress and unknown steps do no harm', async ({ page }) => {
  const { problems } = watch(page);
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('stoa.lesson.impasse', '{"version":1,"done":7'));
  await page.goto('/#/learn/impasse/no-such-step');
  await expect(page).toHaveURL(/learn\/impasse\/start$/);
  await page.goto('/#/learn/no-such-game');
  await expect(page.getByRole('heading', { name: 'Learn a game in five minutes' })).toBeVisible();
  expect(problems).toEqual([]);
});

test('lessons and rules have no barriers', async ({ page }) => {
  for (const address of [
    '/#/learn',
    '/#/learn/columna/path',
    '/#/learn/impasse/finished',
    '/#/rules',
    '/#/rules/colonnade',
    '/#/rules/colossus',
  ]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(400);
    await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/#/learn/impasse/impasse');
  await doStep(page);
  await expectAccessible(page);
});

test('a phone shows lessons and rules without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const games = GAMES.map((game) => `/#/rules/${game}`);
  for (const address of ['/#/learn', '/#/learn/columna', '/#/learn/impasse/finished', ...games]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(300);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, address).toBeLessThanOrEqual(0);
  }
});

test('the rules are read, played through and printed', async ({ page }) => {
  const { problems } = watch(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Rules of Impasse' }).click();
  await expect(page.getByText('by Mark Steere, 2003')).toBeVisible();
  await expect(page.getByText('Ruling R4')).toBeVisible();
  const figure = page.locator('figure').filter({ hasText: 'The top of c7' });
  await figure.getByRole('button', { name: 'Play c7=b6' }).click();
  await expect(figure.locator('.last')).toHaveCount(2);
  await figure.getByRole('button', { name: 'Reset' }).click();
  await expect(figure.locator('.last')).toHaveCount(0);
  await page.getByRole('link', { name: 'Crown', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Crown/ })).toBeFocused();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: /^Play / })).toHaveCount(0);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.locator('svg.board').first()).toBeVisible();
  expect(problems).toEqual([]);
});
