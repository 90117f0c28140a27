import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, makeMove, movesPlayed, possible } from './helpers';
import { atGame, moveAndSee, person, type Person } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest('--talk', 'players');

const button = ({ page }: Person, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const tab = (who: Person, name: string) =>
  who.page.getByRole('region', { name: 'More about this game' }).getByRole('button', { name });
const list = (page: Page) => page.getByRole('listitem').filter({ hasText: /^If / });

test('an answer that was prepared is played at once, and dropped when it does not fit', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server, 'impasse', 'Days per move');
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  // Bruno waits, and prepares an answer by playing both sides.
  await tab(bruno, 'If … then').click();
  await button(bruno, 'Add a line').click();
  await expect(button(bruno, 'Save the line')).toBeDisabled();
  await expect(possible(bruno.page).first()).toBeVisible();
  // With keys, the way leads to the board and back.
  await button(bruno, 'Cancel').focus();
  await bruno.page.keyboard.press('Enter');
  await expect(bruno.page.locator('.part')).toBeFocused();
  await bruno.page.keyboard.press('Tab');
  await expect(button(bruno, 'Add a line')).toBeFocused();
  await bruno.page.keyboard.press('Enter');
  await expect(bruno.page.locator('svg.board [tabindex="0"]')).toBeFocused();
  await makeMove(bruno.page, 3);
  await expect.poll(() => movesPlayed(bruno.page)).toBe(3);
  await expect(button(bruno, 'Save the line')).toBeDisabled();
  await makeMove(bruno.page, 4);
  await expect.poll(() => movesPlayed(bruno.page)).toBe(4);
  await button(bruno, 'Save the line').click();
  await expect(list(bruno.page)).toHaveCount(1);
  await expect.poll(() => movesPlayed(bruno.page)).toBe(2);
  expect(await movesPlayed(anna.page)).toBe(2);
  const line = await list(bruno.page).innerText();
  await bruno.page.reload();
  await tab(bruno, 'If … then').click();
  await expect(list(bruno.page)).toHaveText([line]);
  await expectAccessible(bruno.page);

  // Anna plays the move that Bruno expects: the answer comes with it.
  const game = /game\/(\w+)/.exec(anna.page.url())?.[1] ?? '';
  const act = (data: object) =>
    anna.page.request.post(`${server.address}api/games/${game}/actions`, { data });
  const expected = async () => (await list(bruno.page).innerText()).split(' ')[1] ?? '';
  expect((await act({ kind: 'move', ply: 2, move: await expected() })).status()).toBe(200);
  for (const { page } of [anna, bruno]) await expect.poll(() => movesPlayed(page)).toBe(4);
  await expect(possible(anna.page).first()).toBeVisible();
  await expect(list(bruno.page)).toHaveCount(0);

  // A line that is deleted, and one that has come to nothing.
  const add = async () => {
    await button(bruno, 'Add a line').click();
    await expect(possible(bruno.page).first()).toBeVisible();
    await makeMove(bruno.page, 5);
    await makeMove(bruno.page, 6);
    await button(bruno, 'Save the line').click();
    await expect(list(bruno.page)).toHaveCount(1);
  };
  await add();
  await button(bruno, /^Delete the line/).click();
  await expect(list(bruno.page)).toHaveCount(0);
  await add();
  expect((await act({ kind: 'resign' })).status()).toBe(200);
  const notice = bruno.page.getByText('The game has ended: your conditional moves were dropped.');
  await expect(notice.first()).toBeVisible();
  await button(bruno, 'OK').click();
  await expect(button(bruno, 'OK')).toHaveCount(0);
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('players talk, mute each other and report; nothing is shown but text', async ({ browser }) => {
  const [anna, bruno] = await atGame(browser, server);
  await tab(anna, 'Talk').click();
  await button(anna, 'Good luck!').focus();
  await anna.page.keyboard.press('Enter');
  await expect(tab(bruno, 'Talk')).toContainText('1');
  await expect(button(anna, 'Good luck!')).toBeFocused();
  await tab(bruno, 'Talk').click();
  const log = ({ page }: Person) => page.getByRole('log', { name: 'What was said' });
  await expect(log(bruno)).toContainText('Good luck!');
  await bruno.page.getByRole('textbox', { name: 'Write something' }).fill('<img src=x> hello');
  await button(bruno, 'Send').click();
  await expect(log(anna)).toContainText('<img src=x> hello');
  expect(await log(anna).locator('img').count()).toBe(0);
  await anna.page.reload();
  await tab(anna, 'Talk').click();
  await expect(log(anna)).toContainText('Good luck!');
  await expectAccessible(anna.page);
  await button(anna, /^Report what Bruno said/).click();
  const dialog = anna.page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('It is a picture.');
  await dialog.getByRole('button', { name: 'Send the report' }).click();
  await expect(anna.page.getByText('Thank you. The people who run').first()).toBeVisible();
  await button(anna, 'Mute Bruno').click();
  await expect(log(anna)).not.toContainText('hello');
  await bruno.page.getByRole('textbox', { name: 'Write something' }).fill('Are you there?');
  await button(bruno, 'Send').click();
  await expect(log(bruno)).toContainText('Are you there?');
  await expect(log(anna)).not.toContainText('Are you there?');
  await button(anna, 'Unmute Bruno').click();
  await expect(log(anna)).toContainText('Are you there?');
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});

test('whoever reads what was said before is left there, and a viewer chooses a name where they talk', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server);
  for (const who of [anna, bruno]) await tab(who, 'Talk').click();
  const log = ({ page }: Person) => page.getByRole('log', { name: 'What was said' });
  const say = async (words: string) => {
    await bruno.page.getByRole('textbox', { name: 'Write something' }).fill(words);
    await button(bruno, 'Send').click();
    await expect(log(anna)).toContainText(words);
  };
  const fromEnd = () =>
    log(anna).evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
  for (const i of [1, 2, 3, 4]) await say(`${i} ${'and so on '.repeat(15)}`);
  await expect.poll(fromEnd).toBeLessThan(2);
  await log(anna).evaluate((one) => one.scrollTo({ top: 0 }));
  await expect.poll(() => log(anna).evaluate((one) => one.scrollTop)).toBe(0);
  await say('the latest');
  expect(await log(anna).evaluate((one) => one.scrollTop)).toBe(0);

  const eve = await person(browser, 'Eve');
  await eve.page.goto(anna.page.url());
  await tab(eve, 'Talk').click();
  await button(eve, 'Choose a name to talk').click();
  await eve.page.getByLabel('Your name').fill('Eve');
  await button(eve, 'Continue').click();
  await button(eve, 'Hello!').click();
  await expect(log(eve)).toContainText('Hello!');
  expect([...anna.problems, ...bruno.problems, ...eve.problems]).toEqual([]);
});

test('notes are kept, a vacation is seen, and the next game is one key away', async ({
  browser,
}) => {
  const [anna, bruno] = await atGame(browser, server, 'impasse', 'Days per move');
  await button(anna, 'Give a day').focus();
  await anna.page.keyboard.press('Enter');
  await expect(bruno.page.getByText(/^Anna gives you/).first()).toBeAttached();
  await expect(button(anna, 'Give a day')).toBeEnabled();
  await expect(button(anna, 'Give a day')).toBeFocused();
  await tab(anna, 'Notes').click();
  const note = anna.page.getByRole('textbox', { name: /^Your notes on this game/ });
  await note.fill('Mind the left.');
  // What is typed while a note is being saved is newer than the answer.
  let arrived = () => {};
  const isTyped = new Promise<void>((resolve) => (arrived = resolve));
  await anna.page.route('**/mine', async (route) => {
    await isTyped;
    await route.continue();
  });
  const answer = anna.page.waitForResponse('**/mine');
  await button(anna, 'Save').click();
  await note.fill('Mind the left side.');
  arrived();
  await (await answer).finished();
  await anna.page.unroute('**/mine');
  await expect(button(anna, 'Save')).toBeEnabled();
  await expect(note).toHaveValue('Mind the left side.');
  await button(anna, 'Save').click();
  await expect(button(anna, 'Save')).toBeDisabled();
  await anna.page.getByLabel('Notify me when it is my turn in this game').uncheck();
  await expect(anna.page.getByText('Saved.').first()).toBeVisible();
  // What was written is kept when something else is looked at.
  await note.fill('Mind the right side.');
  await tab(anna, 'Talk').click();
  await tab(anna, 'Notes').click();
  await expect(note).toHaveValue('Mind the right side.');
  await anna.page.reload();
  await tab(anna, 'Notes').click();
  await expect(note).toHaveValue('Mind the right side.');
  await expect(anna.page.getByLabel('Notify me when it is my turn')).not.toBeChecked();
  await expectAccessible(anna.page);

  const game = anna.page.url();
  await anna.page.goto(`${server.address}#/account`);
  await anna.page.getByLabel('How many days?').fill('5');
  await button(anna, 'Go on vacation').click();
  await expect(anna.page.getByText(/^You are on vacation until/)).toBeVisible();
  await expect(bruno.page.getByText(/^On vacation until/)).toBeVisible();
  await expectAccessible(anna.page);
  await button(anna, 'I am back').click();
  await expect(bruno.page.getByText(/^On vacation until/)).toHaveCount(0);
  await anna.page.goto(game);
  await moveAndSee(anna, bruno, 1);
  await expect(anna.page.getByText('Next game that waits for you')).toHaveCount(0);
  // Another game begins, in which it is Anna's turn, too.
  const data = { game: 'colonnade', side: 'first', control: { kind: 'days', days: 2 } };
  const made = await anna.page.request.post(`${server.address}api/challenges`, { data });
  const { id } = (await made.json()) as { id: string };
  await bruno.page.request.post(`${server.address}api/challenges/${id}/accept`, { data: {} });
  await expect(anna.page.getByRole('link', { name: 'Next game that waits for you' })).toBeVisible();
  await anna.page.keyboard.press('n');
  await expect(anna.page).not.toHaveURL(game);
  await expect(anna.page.getByRole('heading', { level: 1 })).toContainText('Colonnade');
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});
