import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test';
import { makeMove, movesPlayed, possible, watch } from './helpers';

/** Where people meet. */
interface Place {
  address: string;
}

/** Somebody with a browser of their own. */
export interface Person {
  name: string;
  page: Page;
  /** What went wrong in their browser. */
  problems: string[];
  leave: () => Promise<void>;
  /** How they make a move; by clicking, if nothing else is given. */
  makeMove?: (page: Page, number: number) => Promise<void>;
}

const open = new Set<BrowserContext>();

export async function person(
  browser: Browser,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({
    locale: 'en-GB',
    serviceWorkers: 'block',
    ...options,
  });
  open.add(context);
  const page = await context.newPage();
  const { problems } = watch(page);
  return { name, page, problems, leave: () => context.close() };
}

/** Closes all browsers; after each test, or their pages would look for their servers for ever. */
export async function everybodyLeaves(): Promise<void> {
  await Promise.all([...open].map((context) => context.close()));
  open.clear();
}

/** Gives a name, if the page asks for one now. */
async function giveName({ page, name }: Person): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Makes a challenge, with Red (or the side that moves first) for its creator; returns its link. */
export async function invite(
  host: Person,
  server: Place,
  game = 'colonnade',
  time = 'No time limit',
): Promise<string> {
  const { page } = host;
  await page.goto(`${server.address}#/online/new/${game}`);
  await page.getByText(/moving first/).click();
  await page.getByText(time, { exact: true }).click();
  await page.getByRole('button', { name: 'Create the link' }).click();
  await giveName(host);
  return page.getByLabel('Link to this challenge').inputValue();
}

export async function accept(guest: Person, link: string): Promise<void> {
  await guest.page.goto(link);
  await guest.page.getByRole('button', { name: 'Accept and play' }).click();
  await giveName(guest);
}

/** Two people at a game: the host moves first. */
export async function atGame(
  browser: Browser,
  server: Place,
  game = 'colonnade',
  time?: string,
): Promise<[host: Person, guest: Person]> {
  const host = await person(browser, 'Anna');
  const guest = await person(browser, 'Bruno');
  await accept(guest, await invite(host, server, game, time));
  for (const { page } of [host, guest]) await expect(page.getByRole('grid')).toBeVisible();
  await expect(possible(host.page).first()).toBeVisible();
  return [host, guest];
}

/** One makes a move, and the other sees it. */
export async function moveAndSee(mover: Person, other: Person, number: number): Promise<void> {
  const before = await movesPlayed(other.page);
  await (mover.makeMove ?? makeMove)(mover.page, number);
  await expect.poll(() => movesPlayed(other.page), { intervals: [20] }).toBe(before + 1);
}

/** Plays a game of Colonnade to its end, which both see. */
export async function playToTheEnd(first: Person, second: Person): Promise<void> {
  const over = ({ page }: Person) => page.getByRole('button', { name: 'Rematch' });
  for (let number = 0; number < 60 && !(await over(first).isVisible()); number += 1) {
    const [mover, other] = number % 2 === 0 ? [first, second] : [second, first];
    await moveAndSee(mover, other, number);
    await expect(possible(other.page).first().or(over(other))).toBeVisible();
    if (await over(other).isVisible()) await expect(over(mover)).toBeVisible();
  }
  const ends = await Promise.all(
    [first, second].map(({ page }) =>
      page
        .getByText(/wins: (Red|Blue) cannot move/)
        .first()
        .innerText(),
    ),
  );
  expect(ends[0]).toBe(ends[1]);
  expect(await moves(first.page)).toBe(await moves(second.page));
}

export const moves = (page: Page): Promise<string> => page.locator('ol').innerText();
