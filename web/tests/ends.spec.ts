import { expect, type Page, test } from '@playwright/test';
import { watch } from './helpers';

const lines = async (page: Page, address: string) => {
  await page.goto(address);
  await expect(page.locator('svg.board .tokens > g').first()).toBeVisible();
  const drawn = page.locator('svg.board .decided path').last();
  return (await drawn.count()) === 0
    ? 0
    : ((await drawn.getAttribute('d')) ?? '').split('M').length - 1;
};

test('what decided a game is drawn on its board', async ({ page }) => {
  const { problems } = watch(page);
  const row = 'b1,b1,b1,b1,b1,b1,b1';
  // The path from pawn to pawn, the ring around a besieged tower, and nothing in a game that goes on.
  expect(await lines(page, `/#/embed/columna?p=x7/x7/x7/x7/${row}/x7/x7_a4_i4_w_0`)).toBe(8);
  expect(await lines(page, `/#/embed/columna?p=x7/x7/x7/x7/${row}/x7/x7_a4_i4_b_0`)).toBe(0);
  expect(await lines(page, '/#/embed/colossus?p=t1wW/3ww/6/t5t/6/5/W2t_w_3_0_9')).toBe(2);
  expect(problems).toEqual([]);
});

test('what may move first is no trap', async ({ page }) => {
  const person = { kind: 'person' };
  const game = {
    version: 1,
    id: 'x',
    name: '',
    game: 'colossus',
    moves: [],
    players: [person, person],
    seed: 1,
    created: 1,
    updated: 1,
  };
  await page.addInitScript(
    (text) => localStorage.setItem('stoa.game.x', text),
    JSON.stringify(game),
  );
  await page.goto('/#/play/g/x');
  // Three spaces for a stone; the stone of the only tower may move, but is not pointed out.
  await expect(page.locator('svg.board .goal')).toHaveAttribute('d', /^(M[^M]*){3}$/);
  await expect(page.locator('svg.board .pick')).toHaveCount(0);
  await page.locator('[data-name="a1"]').click();
  await expect(page.locator('svg.board .clicked')).toHaveCount(1);
});
