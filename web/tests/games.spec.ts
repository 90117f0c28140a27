import { expect, test } from '@playwright/test';
import { begin, makeMove, myTurn, watch } from './helpers';
import { makeMoveByKeys, tabTo, tabToBoard } from './keys';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Every way in which a game can end on the board. */
const ENDED = /(wins|Draw): .*\.$/;

/**
 * Turns of one's own in which these games end, and against which level: in Columna the weakest takes hundreds of turns.
 * They are the same games every time (see `begin`).
 */
const GAMES: Record<string, [turns: number, level: number]> = {
  colonnade: [30, 1],
  impasse: [100, 1],
  palisade: [50, 1],
  columna: [60, 5],
  colossus: [30, 1],
};

for (const [game, [turns, level]] of Object.entries(GAMES)) {
  test(`a whole game of ${game} against level ${level}, by clicking`, async ({ page }) => {
    test.setTimeout(180_000);
    const { problems } = watch(page);
    await begin(page, game, { level });
    let played = 0;
    while (played < turns && (await myTurn(page))) {
      await makeMove(page, played);
      played += 1;
    }
    await expect(page.getByText(ENDED).first()).toBeVisible();
    await page.goto('/#/play');
    await expect(page.getByRole('listitem').getByText(/wins: |Draw: /)).toBeVisible();
    expect(problems).toEqual([]);
  });
}

test('a whole game of Colonnade with the keyboard alone', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/');
  await tabTo(page, 'link', 'Colonnade');
  await page.keyboard.press('Enter');
  await tabTo(page, 'slider', 'Strength');
  await page.keyboard.press('Home');
  await tabTo(page, 'button', 'Play');
  await page.keyboard.press('Enter');
  await tabToBoard(page);
  let turn = 0;
  for (; turn < 60 && (await myTurn(page)); turn += 1) {
    await makeMoveByKeys(page);
  }
  await expect(page.getByRole('status')).toContainText(/wins: (Red|Blue) cannot move/);
  expect(turn).toBeGreaterThan(3);
});
