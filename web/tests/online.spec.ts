import { expect, type Page, test } from '@playwright/test';
import {
  expectAccessible,
  expectPictures,
  expectRoomForFingers,
  makeMove,
  movesPlayed,
  possible,
  watch,
} from './helpers';
import { accept, atGame, invite, moveAndSee, moves, person, playToTheEnd } from './people';
import { makeMoveByKeys, tabTo, tabToBoard } from './keys';
import { StoaServer } from './server';

/** Lets the page believe that its tab is seen, or that it is not. */
const look = (page: Page, seen: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, !seen);

const server = StoaServer.forEachTest();

test('two people play a whole game, and another one with sides swapped', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await playToTheEnd(anna, bruno);
  const before = anna.page.url();
  await anna.page.getByRole('button', { name: 'Rematch' }).click();
  await expect(anna.page.getByText('You have asked for a rematch.')).toBeVisible();
  await bruno.page.getByRole('button', { name: 'Accept' }).click();
  // Both are taken to the new game, in which the other one begins.
  await expect(possible(bruno.page).first()).toBeVisible();
  await expect(anna.page).not.toHaveURL(before);
  expect(anna.page.url()).toBe(bruno.page.url());
  await moveAndSee(bruno, anna, 1);
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('somebody with a keyboard alone plays a whole game, too', async ({ browser }) => {
  test.setTimeout(120_000);
  const bruno = await person(browser, 'Bruno');
  const anna = await person(browser, 'Anna', { reducedMotion: 'reduce' });
  const { page } = anna;
  await page.goto(await invite(bruno, server));
  await tabTo(page, 'button', 'Accept and play');
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', 'Your name');
  await page.keyboard.type('Anna');
  await page.keyboard.press('Enter');
  await tabToBoard(page);
  await playToTheEnd(bruno, { ...anna, makeMove: makeMoveByKeys });
  await expect(page.getByRole('status')).toContainText(/wins: (Red|Blue) cannot move/);
  await tabTo(page, 'button', 'Rematch');
  await page.keyboard.press('Enter');
  await expect(bruno.page.getByText('Anna would like a rematch.').first()).toBeVisible();
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('moves are taken back by agreement, draws are agreed on, games are resigned', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server, 'columna');
  const button = (who: typeof anna, name: string) =>
    who.page.getByRole('button', { name, exact: true });
  await moveAndSee(anna, bruno, 1);
  await button(anna, 'Take back').click();
  await expect(bruno.page.getByText('Anna would like to take a move back.').first()).toBeVisible();
  await button(bruno, 'Decline').click();
  await expect(button(anna, 'Withdraw')).toHaveCount(0);
  await button(anna, 'Take back').click();
  await button(bruno, 'Accept').click();
  for (const { page } of [anna, bruno]) await expect.poll(() => movesPlayed(page)).toBe(0);
  await moveAndSee(anna, bruno, 2);
  await moveAndSee(bruno, anna, 3);

  await button(bruno, 'Offer a draw').click();
  await expect(anna.page.getByText('Bruno offers a draw.').first()).toBeVisible();
  await button(bruno, 'Withdraw').click();
  await expect(button(anna, 'Accept')).toHaveCount(0);
  await button(anna, 'Offer a draw').click();
  await button(bruno, 'Accept').click();
  for (const { page } of [anna, bruno]) {
    await expect(page.getByText('Draw: the players agreed.').first()).toBeVisible();
  }

  await button(bruno, 'Rematch').click();
  await button(anna, 'Accept').click();
  await expect(possible(bruno.page).first()).toBeVisible();
  // Nobody has moved: the game can be called off, and one can begin again.
  await button(anna, 'Abort').click();
  await expect(bruno.page.getByText(/aborted before it began/).first()).toBeVisible();
  await button(bruno, 'Rematch').click();
  await button(anna, 'Accept').click();
  await expect(possible(anna.page).first()).toBeVisible();
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 1);
  await button(anna, 'Resign').click();
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await expect(bruno.page.getByText('White wins: Black resigned.').first()).toBeVisible();
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('a game survives reloads and the death of the server', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await moveAndSee(anna, bruno, 1);
  await bruno.page.reload();
  await expect(possible(bruno.page).first()).toBeVisible();
  await moveAndSee(bruno, anna, 2);
  await server.kill();
  await expect(anna.page.getByText('No connection. Trying again …')).toBeVisible();
  // A move that is made now is kept.
  await makeMove(anna.page, 3);
  await expect(anna.page.getByText('Your move is saved and will be sent').first()).toBeVisible();
  const kept = await moves(anna.page);
  await server.restart();
  await expect.poll(() => moves(bruno.page), { timeout: 30_000 }).toBe(kept);
  await expect(anna.page.getByText('Bruno to move.')).toBeVisible({ timeout: 30_000 });
  await expect(anna.page.getByText('No connection')).toHaveCount(0);
  await moveAndSee(bruno, anna, 4);
  expect(await moves(anna.page)).toBe(await moves(bruno.page));
});

test('a game survives the loss of the network', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  await anna.page.context().setOffline(true);
  await expect(anna.page.getByText('No connection. Trying again …')).toBeVisible({
    timeout: 20_000,
  });
  await makeMove(anna.page, 3);
  await expect(anna.page.getByText('Your move is saved and will be sent').first()).toBeVisible();
  expect(await movesPlayed(bruno.page)).toBe(2);
  await anna.page.context().setOffline(false);
  await expect.poll(() => movesPlayed(bruno.page), { timeout: 30_000 }).toBe(3);
  await expect(anna.page.getByText('Bruno to move.')).toBeVisible({ timeout: 30_000 });
  expect(await moves(anna.page)).toBe(await moves(bruno.page));
});

test('somebody watches, looks back, and sees the truth', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await moveAndSee(anna, bruno, 1);
  const carla = await person(browser, 'Carla');
  await carla.page.goto(anna.page.url());
  await expect.poll(() => movesPlayed(carla.page)).toBe(1);
  await expect(anna.page.getByText('1 watching')).toBeVisible();
  await expect(carla.page.getByRole('button', { name: 'Resign' })).toHaveCount(0);
  await expect(carla.page.getByRole('button', { name: 'Take back' })).toHaveCount(0);
  await expect(possible(carla.page)).toHaveCount(0);
  // A person who looks back stays there while the game continues.
  await carla.page.getByRole('button', { name: 'Go to the start' }).click();
  await moveAndSee(bruno, carla, 2);
  await expect(carla.page.getByText('You are looking at an earlier position.')).toBeVisible();
  await carla.page.getByRole('button', { name: 'Return to the game' }).click();
  await expect(carla.page.getByText('Anna to move.')).toBeVisible();
  await expect(carla.page.getByRole('status')).toContainText('Blue:');
  await carla.leave();
  await expect(anna.page.getByText('1 watching')).toHaveCount(0);
  expect([...anna.problems, ...carla.problems]).toEqual([]);
});

test('the lobby shows open challenges and games that wait for a move', async ({ browser }) => {
  const anna = await person(browser, 'Anna');
  const bruno = await person(browser, 'Bruno');
  await bruno.page.goto(`${server.address}#/online`);
  await expect(bruno.page.getByText('Nobody is waiting right now.')).toBeVisible();
  await anna.page.goto(`${server.address}#/online/new/impasse`);
  await anna.page.getByText('Anyone in the lobby').click();
  await anna.page.getByText(/moving second/).click();
  await anna.page.getByText('Days per move').click();
  await anna.page.getByRole('button', { name: 'Post the challenge' }).click();
  await anna.page.getByLabel('Your name').fill('Anna');
  await anna.page.getByRole('button', { name: 'Continue' }).click();
  // It appears by itself, and the game begins by itself for the one who waits.
  await bruno.page.getByRole('button', { name: 'Accept Impasse, Anna' }).click();
  await bruno.page.getByLabel('Your name').fill('Bruno');
  await bruno.page.getByRole('button', { name: 'Continue' }).click();
  await expect(possible(bruno.page).first()).toBeVisible();
  await expect(anna.page.getByText('Bruno to move.')).toBeVisible();
  // Anywhere in the app a toast says that it is your turn; if nobody is looking, the title changes.
  await anna.page.getByRole('link', { name: 'Learn', exact: true }).first().click();
  await look(anna.page, false);
  await makeMove(bruno.page, 1);
  await expect(anna.page).toHaveTitle('(1) Your move!');
  await expect(anna.page).toHaveTitle('(1) Learn – Stoa');
  await look(anna.page, true);
  await anna.page.waitForTimeout(1500);
  await expect(anna.page).toHaveTitle('(1) Learn – Stoa');
  await anna.page.getByRole('link', { name: 'Online (1 game is waiting for your move)' }).click();
  const game = anna.page.getByRole('link', { name: /Bruno.*Impasse.*Your move/s });
  await expectAccessible(anna.page);
  await game.click();
  await expect(possible(anna.page).first()).toBeVisible();
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('a challenge can be taken back, and is only there once', async ({ browser }) => {
  const anna = await person(browser, 'Anna');
  const bruno = await person(browser, 'Bruno');
  const carla = await person(browser, 'Carla');
  const link = await invite(anna, server);
  // The creator of a challenge need not wait for it.
  await anna.page.goto(`${server.address}#/rules/colonnade`);
  await carla.page.goto(link);
  await expect(
    carla.page.getByRole('link', { name: 'Learn Colonnade in five minutes' }),
  ).toBeVisible();
  await accept(bruno, link);
  await expect(bruno.page.getByRole('grid')).toBeVisible();
  await expect(anna.page.getByText('Bruno plays Colonnade with you').first()).toBeVisible();
  await expectAccessible(anna.page);
  await anna.page.getByRole('link', { name: 'Open it' }).click();
  await expect(possible(anna.page).first()).toBeVisible();
  await carla.page.getByRole('button', { name: 'Accept and play' }).click();
  await carla.page.getByLabel('Your name').fill('Carla');
  await carla.page.getByRole('button', { name: 'Continue' }).click();
  await expect(
    carla.page.getByRole('heading', { name: 'Somebody has already accepted this challenge' }),
  ).toBeVisible();
  await carla.page.getByRole('link', { name: 'Watch the game' }).click();
  await expect(carla.page.getByText('Anna to move.')).toBeVisible();

  await carla.page.goto(`${server.address}#/online/new/colossus`);
  await carla.page.getByRole('button', { name: 'Create the link' }).click();
  const second = await carla.page.getByLabel('Link to this challenge').inputValue();
  await bruno.page.goto(second);
  await expect(bruno.page.getByText('Carla asks you to play Colossus')).toBeVisible();
  await carla.page.getByRole('button', { name: 'Withdraw the challenge' }).click();
  await expect(
    carla.page.getByRole('heading', { name: 'The challenge was withdrawn' }),
  ).toBeVisible();
  // The page may have noticed by itself meanwhile, and then there is nothing to press.
  const press = bruno.page.getByRole('button', { name: 'Accept and play' });
  await press.click({ timeout: 5000 }).catch(() => undefined);
  await expect(
    bruno.page.getByRole('heading', { name: 'The challenge was withdrawn' }),
  ).toBeVisible();
  await bruno.page.goto(`${server.address}#/challenge/nonsense`);
  await expect(
    bruno.page.getByRole('heading', { name: 'There is no such challenge' }),
  ).toBeVisible();
  await bruno.page.goto(`${server.address}#/game/nonsense`);
  await expect(bruno.page.getByRole('heading', { name: 'There is no such game' })).toBeVisible();
});

test('clocks run, and a game that is over goes to the review and the analysis', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server, 'colonnade', '3 min + 2 s');
  await expect(anna.page.getByText(/Without a first move the game ends/)).toBeVisible();
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  const clock = (name: string) => bruno.page.getByRole('timer', { name: `${name}:` });
  await expect(clock('Anna')).toHaveText(/^\s*2:5\d$/);
  await expect(clock('Bruno')).toHaveText('3:00');
  await anna.page.getByRole('button', { name: 'Give 15 s' }).click();
  await expect(clock('Bruno')).toHaveText('3:15');
  await expect(bruno.page.getByRole('status')).toContainText('Anna gives you 15 seconds.');
  await bruno.page.getByRole('button', { name: 'Read out the clocks' }).focus();
  await bruno.page.keyboard.press('Enter');
  await expect(bruno.page.getByRole('status')).toContainText(/Bruno: 3 minutes,? 15 seconds left/);
  await bruno.page.getByRole('button', { name: 'Resign' }).click();
  await bruno.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await expect(anna.page.getByText('Red wins: Blue resigned.').first()).toBeVisible();
  // Not those in the navigation, which are there before the game is over.
  const atTheEnd = (page: Page, name: string) =>
    page.getByRole('main').getByRole('link', { name, exact: true }).last();
  await atTheEnd(anna.page, 'Analyse').click();
  await expect(anna.page).toHaveURL(/\/analyse#g=/);
  await expect(anna.page.getByRole('grid')).toBeVisible();
  await atTheEnd(bruno.page, 'Review').click();
  await expect(bruno.page).toHaveURL(/\/review/);
  // The names come with the first findings.
  await expect(bruno.page.getByText('Bruno').first()).toBeVisible({ timeout: 30_000 });
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('a bot plays, too', async ({ browser }) => {
  const anna = await person(browser, 'Anna');
  const { page } = anna;
  await page.goto(`${server.address}#/online/new/colonnade`);
  await page.getByText('A bot', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Bot' }).selectOption('Stoa 1, Passer-by');
  await page.getByText(/moving first/).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByLabel('Your name').fill('Anna');
  await page.getByRole('button', { name: 'Continue' }).click();
  for (const number of [1, 2]) {
    await expect(possible(page).first()).toBeVisible({ timeout: 20_000 });
    await makeMove(page, number);
    // The list tells whose turn it is; marks of the last turn may still be fading from the board.
    await expect.poll(() => movesPlayed(page), { timeout: 20_000 }).toBe(2 * number);
  }
  await expect(page.getByText('Blue, a bot')).toBeVisible();
  expect(anna.problems).toEqual([]);
});

test('phones have no barriers and nothing to scroll sideways', async ({ browser }) => {
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
  const anna = await person(browser, 'A name of thirty letters, long');
  const bruno = await person(browser, 'Bruno', phone);
  const { page } = bruno;
  const check = async () => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await expectAccessible(page);
    await expectRoomForFingers(page);
  };
  await page.goto(`${server.address}#/online`);
  await expect(page.getByText('Nobody is waiting right now.')).toBeVisible();
  await check();
  await page.goto(`${server.address}#/online/new`);
  await expectPictures(page);
  await check();
  await page.goto(`${server.address}#/online/new/palisade`);
  await page.getByText('Other', { exact: true }).click();
  await check();
  const link = await invite(anna, server, 'palisade', '5 min + 5 s');
  await expectAccessible(anna.page);
  // Cameras want four modules of nothing around a code.
  const code = anna.page.getByRole('img', { name: 'The same link as a QR code' });
  const from = await code.locator('path').evaluate((one) => {
    const { x, y } = (one as SVGPathElement).getBBox();
    return { x, y };
  });
  expect(from).toEqual({ x: 4, y: 4 });
  await page.goto(link);
  await page.getByRole('button', { name: 'Accept and play' }).click();
  await check();
  await page.getByLabel('Your name').fill('Bruno');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await check();
  await page.emulateMedia({ colorScheme: 'dark' });
  await moveAndSee(anna, bruno, 1);
  await makeMove(page, 1);
  await anna.page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await check();
  await page.goto(`${server.address}#/account`);
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
  await check();
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test.describe('where there is no server', () => {
  test('the online part says so, and the rest works', async ({ page }) => {
    const { problems } = watch(page);
    // These are plain files.
    await page.goto('/#/online');
    await expect(page.getByRole('heading', { name: 'There is no server here' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Play in this browser' }).click();
    await expect(page.getByRole('heading', { name: 'Play', exact: true })).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('a server that is away is waited for', async ({ browser }) => {
    // The browser keeps the page, so that it comes without the server.
    const { page } = await person(browser, 'Anna', { serviceWorkers: 'allow' });
    await page.goto(server.address);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await server.kill();
    await page.goto(`${server.address}#/online`);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeVisible();
    await expectAccessible(page);
    await server.restart();
    await expect(page.getByText('Nobody is waiting right now.')).toBeVisible({ timeout: 20_000 });
  });
});

test('a move planned while the other side thinks is played as soon as it can be', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server, 'impasse');
  const cell = (page: Page, name: string) => page.locator(`[data-name="${name}"]`);
  await cell(bruno.page, 'e7').click();
  await cell(bruno.page, 'g5').click();
  await expect(bruno.page.getByRole('main').getByText('Next move: e7, g5')).toBeVisible();
  // Those who listen hear of it.
  await expect(bruno.page.locator('[role="status"].visually-hidden')).toHaveText(
    'Next move: e7, g5',
  );
  await cell(anna.page, 'd2').click();
  await cell(anna.page, 'b4').click();
  for (const { page } of [anna, bruno]) {
    await expect(page.getByRole('button', { name: 'Go to move 2, e7-g5' })).toBeVisible();
  }
  await expect(bruno.page.getByRole('main').getByText('Next move: e7, g5')).toHaveCount(0);
  // What cannot be played any more is not, and the page says so.
  await cell(bruno.page, 'a1').click();
  await expect(bruno.page.getByRole('main').getByText('Next move: a1')).toBeVisible();
  await cell(anna.page, 'h2').click();
  await cell(anna.page, 'g3').click();
  await expect(
    bruno.page.getByText('Your planned move is not possible now.').first(),
  ).toBeVisible();
  await expect(possible(bruno.page).first()).toBeVisible();
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});
