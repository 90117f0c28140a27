import { type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectRoomForFingers, possible } from './helpers';
import { moveAndSee, type Person, person } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Somebody with an account. */
async function member(
  browser: Parameters<typeof person>[0],
  name: string,
  options?: BrowserContextOptions,
): Promise<Person> {
  const one = await person(browser, name, options);
  await one.page.goto(`${server.address}#/online`);
  const answer = await one.page.request.post(`${server.address}api/account/register`, {
    data: { name, password: 'a stoa by the sea' },
    headers: { origin: new URL(server.address).origin },
  });
  expect(answer.status()).toBe(200);
  return one;
}

/** A rated game of Colonnade with clocks; the host moves first. */
async function atRatedGame(host: Person, guest: Person): Promise<void> {
  await host.page.goto(`${server.address}#/online/new/colonnade`);
  await host.page.reload();
  await host.page.getByText(/moving first/).click();
  await expect(host.page.getByLabel('Rated game')).toBeChecked();
  await button(host.page, 'Create the link').click();
  const link = await host.page.getByLabel('Link to this challenge').inputValue();
  await guest.page.goto(link);
  await expect(guest.page.getByText('Rated', { exact: true })).toBeVisible();
  await button(guest.page, 'Accept and play').click();
  for (const { page } of [host, guest]) await expect(page.getByRole('grid')).toBeVisible();
  await expect(possible(host.page).first()).toBeVisible();
}

async function resign({ page }: Person): Promise<void> {
  await button(page, 'Resign').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
}

test('a rated game tells both what it did, and their pages show it', async ({ browser }) => {
  const anna = await member(browser, 'Anna');
  const bruno = await member(browser, 'Bruno');
  await atRatedGame(anna, bruno);
  await expect(button(anna.page, 'Take back')).toHaveCount(0);
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  await resign(bruno);
  await expect(anna.page.getByText('1500 → 1662?')).toBeVisible();
  await expect(anna.page.getByText('+162', { exact: true })).toBeVisible();
  await expect(bruno.page.getByText('1500 → 1338?')).toBeVisible();

  // From the name at the board to the page of the other.
  await anna.page.getByRole('link', { name: 'Bruno', exact: true }).first().click();
  await expect(anna.page.getByRole('heading', { name: 'Bruno', level: 1 })).toBeVisible();
  await expect(anna.page).toHaveURL(/\/player\/bruno$/);
  await expect(anna.page.getByText('1338?').first()).toBeVisible();
  await expect(anna.page.getByText('Here now')).toBeVisible();
  await expect(anna.page.getByRole('link', { name: /Lost\s*Colonnade/ })).toBeVisible();
  await expectAccessible(anna.page);

  // Following shows who is here; blocking ends it.
  await button(anna.page, 'Follow').click();
  await expect(button(anna.page, 'Stop following')).toBeVisible();
  await anna.page.goto(`${server.address}#/online`);
  await expect(anna.page.getByRole('heading', { name: 'Friends who are here' })).toBeVisible();
  await expectAccessible(anna.page);
  await anna.page.getByRole('link', { name: 'Challenge Bruno' }).click();
  await anna.page
    .getByRole('link', { name: /Impasse/ })
    .first()
    .click();
  await expect(anna.page.getByText('Opponent: Bruno')).toBeVisible();
  await button(anna.page, 'Challenge').click();
  await expect(anna.page.getByRole('heading', { name: /Bruno/ })).toBeVisible();
  await bruno.page.goto(`${server.address}player/anna`);
  await button(bruno.page, 'Block').click();
  await expect(bruno.page.getByText(/You have blocked this player/).first()).toBeVisible();
  expect(anna.problems).toEqual([]);
  expect(bruno.problems).toEqual([]);
});

test('leaderboards and pages of players have addresses of their own', async ({ browser }) => {
  const anna = await member(browser, 'Anna');
  const { page } = anna;
  await page.goto(`${server.address}player/ANNA`);
  await expect(page.getByRole('heading', { name: 'Anna', level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/Anna/);
  await expect(page.getByText('No rated games yet.')).toBeVisible();
  await page.goto(`${server.address}player/nobody-there`);
  await expect(page.getByRole('heading', { name: 'No such player' })).toBeVisible();
  await page.goto(`${server.address}palisade/leaderboard`);
  await expect(
    page.getByRole('heading', { name: 'Palisade: the strongest players' }),
  ).toBeVisible();
  await page.getByText('Palisade, 9 × 9 and 11 × 11').click();
  await page.getByText('Correspondence', { exact: true }).click();
  await page.getByText('Bots and engines').click();
  await expect(page.getByText('Nobody has played enough rated games yet.')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${server.address}#/account`);
  await page.getByLabel('Show others when I was last here').uncheck();
  const stranger = await person(browser, 'Carla');
  await stranger.page.goto(`${server.address}player/anna`);
  await expect(stranger.page.getByText(/^Here since/)).toBeVisible();
  await expect(stranger.page.getByText(/Here now|Last here/)).toHaveCount(0);
});

test('the page of a player on a phone: nothing covers anything, and fingers find everything', async ({
  browser,
}) => {
  const anna = await member(browser, 'Anna');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const bruno = await member(browser, 'Bruno-of-the-long-name-in-Elea', phone);
  await atRatedGame(anna, bruno);
  await moveAndSee(anna, bruno, 1);
  await moveAndSee(bruno, anna, 2);
  await resign(bruno);
  await expect(anna.page.getByText('1500 → 1662?')).toBeVisible();

  const { page } = bruno;
  await page.goto(`${server.address}player/anna`);
  const row = page.locator('#games li');
  await expect(row).toHaveCount(1);
  const parts = await row
    .locator(':scope > *')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  for (const [i, one] of parts.entries()) {
    for (const other of parts.slice(i + 1)) {
      const isApart =
        one.right <= other.left ||
        other.right <= one.left ||
        one.bottom <= other.top ||
        other.bottom <= one.top;
      expect(isApart).toBe(true);
    }
  }
  // The whole course of the rating is seen, its latest point included.
  const graph = page.locator('figure svg');
  await expect(graph).toBeVisible();
  const seen = await graph.evaluate((one) => one.getBoundingClientRect().right <= innerWidth);
  expect(seen).toBe(true);
  await expectRoomForFingers(page);

  // From an opponent to the games against them.
  await button(page, 'Games against Bruno-of-the-long-name-in-Elea').click();
  const heading = page.getByRole('heading', { name: 'Games against Bruno' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  // Whoever uses keys stays at the button that was pressed.
  await button(page, 'Follow').focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Stop following')).toBeFocused();
  // Somebody without a name may challenge, too.
  const carla = await person(browser, 'Carla');
  await carla.page.goto(`${server.address}player/anna`);
  await expect(carla.page.getByRole('link', { name: 'Challenge', exact: true })).toBeVisible();
  await expect(button(carla.page, 'Follow')).toHaveCount(0);
  expect(bruno.problems).toEqual([]);
});
