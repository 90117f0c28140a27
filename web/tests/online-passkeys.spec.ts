import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './helpers';
import { person } from './people';
import { StoaServer } from './server';

const server = StoaServer.forEachTest();
/** Passkeys belong to a domain; 127.0.0.1 is none. */
const address = () => server.address.replace('127.0.0.1', 'localhost');

const PASSWORD = 'a stoa by the sea';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Gives a browser a device that makes passkeys and always knows who is there. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function open(page: Page): Promise<void> {
  await page.goto(`${address()}account`);
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
}

async function signIn(page: Page): Promise<void> {
  await open(page);
  await page.locator('fieldset label', { hasText: 'Sign in' }).click();
  await page.getByLabel('Sign-in name').fill('Anna');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await expect(page.getByText(/^Signed in as anna/i)).toBeVisible();
}

test('a passkey is made, named, used and removed', async ({ browser }) => {
  const { page, problems } = await person(browser, 'Anna');
  await addAuthenticator(page);
  await page.goto(address());
  const registered = await page.request.post(`${address()}api/account/register`, {
    data: { name: 'Anna', password: PASSWORD },
    headers: { origin: new URL(address()).origin },
  });
  expect(registered.status()).toBe(200);
  await open(page);
  await page.getByText('Your passkeys').click();
  await page.getByLabel('Name of the passkey').fill('my phone');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await button(page, 'Add a passkey').click();
  await expect(page.getByText('Wrong password.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Add a passkey').click();
  await expect(page.getByText('Passkey added.').first()).toBeVisible();
  await expect(page.getByText('my phone', { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Rename my phone').click();
  await expect(page.getByLabel('Name of the passkey').first()).toBeFocused();
  await page.getByLabel('Name of the passkey').first().fill('old phone');
  await button(page, 'Rename').click();
  await expect(page.getByText('old phone', { exact: true }).first()).toBeVisible();

  await button(page, 'Sign out').click();
  await page.locator('fieldset label', { hasText: 'Sign in' }).click();
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByText(/^Signed in as anna/i)).toBeVisible();
  await page.getByText('Your passkeys').click();
  await expect(page.getByText(/^last used/).first()).toBeVisible();
  await button(page, 'Delete old phone').click();
  await expect(page.getByText('You have none yet.').first()).toBeVisible();
  await button(page, 'Sign out').click();
  await page.locator('fieldset label', { hasText: 'Sign in' }).click();
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByText(/^Signed in as anna/i)).toHaveCount(0);
  // `localhost` is somewhere else to those who watch, and the last passkey was refused.
  const isMeant = (problem: string) => problem.startsWith(address()) || problem.includes('401');
  expect(problems.filter((problem) => !isMeant(problem))).toEqual([]);
});

test('other devices are signed out at once', async ({ browser }) => {
  const anna = await person(browser, 'Anna');
  await anna.page.goto(address());
  await anna.page.request.post(`${address()}api/account/register`, {
    data: { name: 'Anna', password: PASSWORD },
    headers: { origin: new URL(address()).origin },
  });
  const phone = await person(browser, 'Anna', {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  });
  await signIn(phone.page);
  await open(anna.page);
  await expect(button(anna.page, 'Sign out Safari, iPhone')).toBeVisible();
  await expect(anna.page.getByText('this device')).toBeVisible();
  await expectAccessible(anna.page);
  await button(anna.page, 'Sign out all other devices').click();
  await expect(anna.page.getByText('All other devices are signed out.').first()).toBeVisible();
  await expect(anna.page.getByText('Safari, iPhone')).toHaveCount(0);
  await expect(button(anna.page, 'Sign out all other devices')).toHaveCount(0);
  await phone.page.reload();
  await expect(phone.page.getByText('You have no name here yet.', { exact: false })).toBeVisible();
  await anna.page.reload();
  await expect(anna.page.getByText(/^Signed in as anna/i)).toBeVisible();
});
