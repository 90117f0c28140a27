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

/** As if the session of this browser had begun a while ago: the server refuses one kind of request, once. */
async function refuseOnce(page: Page, method: string, path: string): Promise<string[]> {
  const sent: string[] = [];
  let isRefused = false;
  await page.route(/\/api\//, async (route) => {
    const request = route.request();
    const address = new URL(request.url()).pathname;
    if (request.method() !== 'GET') sent.push(`${request.method()} ${address}`);
    const isMeant = request.method() === method && address.startsWith(path);
    if (!isMeant || isRefused) return route.continue();
    isRefused = true;
    await route.fulfill({ status: 403, json: { code: 'sign_in_again', message: 'sign in again' } });
  });
  return sent;
}

async function register(page: Page): Promise<void> {
  await page.goto(address());
  const registered = await page.request.post(`${address()}api/account/register`, {
    data: { name: 'Anna', password: PASSWORD },
    headers: { origin: new URL(address()).origin },
  });
  expect(registered.status()).toBe(200);
  await open(page);
}

test('leaving for good asks for the password again after a while', async ({ browser }) => {
  const { page } = await person(browser, 'Anna', { viewport: { width: 390, height: 844 } });
  await register(page);
  const sent = await refuseOnce(page, 'DELETE', '/api/me');
  await button(page, 'Delete my data').click();
  const dialog = page.getByRole('dialog');
  await button(page, 'Delete my data').last().click();
  await expect(dialog.getByText(/It has been a while since you signed in/)).toBeVisible();
  const password = dialog.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await expectAccessible(page);

  // Whoever thinks better of it keeps everything, and finds the question as it was.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button(page, 'Delete my data')).toBeFocused();
  await expect(button(page, 'Delete my data')).toBeEnabled();
  await button(page, 'Delete my data').click();
  await expect(dialog.getByText(/It has been a while/)).toBeHidden();
  await page.keyboard.press('Escape');
  expect(sent).toEqual(['DELETE /api/me']);
});

test('an account is deleted once the password is right', async ({ browser }) => {
  const { page } = await person(browser, 'Anna');
  await register(page);
  const sent = await refuseOnce(page, 'DELETE', '/api/me');
  await button(page, 'Delete my data').click();
  const dialog = page.getByRole('dialog');
  await button(page, 'Delete my data').last().click();
  const password = dialog.getByLabel('Password', { exact: true });
  await password.fill('not the password');
  await password.press('Enter');
  await expect(dialog.getByText('Wrong password.')).toBeVisible();
  await expect(password).toBeFocused();
  await expectAccessible(page);
  await password.fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete my data' }).click();
  await expect(page.getByRole('heading', { name: 'Play online' })).toBeVisible();
  const signIn = 'POST /api/account/login';
  expect(sent).toEqual(['DELETE /api/me', signIn, signIn, 'DELETE /api/me']);
  const asked = await page.request.get(`${address()}api/me`);
  expect(await asked.json()).toEqual({ player: null, login: null });
});

test('a passkey is as good as the password, and keys and passkeys ask as well', async ({
  browser,
}) => {
  const { page } = await person(browser, 'Anna');
  await addAuthenticator(page);
  await register(page);
  await page.getByText('Your passkeys').click();
  await page.getByLabel('Name of the passkey').fill('my phone');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Add a passkey').click();
  await expect(page.getByText('Passkey added.').first()).toBeVisible();

  let sent = await refuseOnce(page, 'POST', '/api/me/tokens');
  await page.getByText('Keys for programs').click();
  await page.getByLabel('What it is for').fill('my bot');
  await button(page, 'Create a key').click();
  await button(page, 'Use a passkey').click();
  await expect(page.getByLabel('Your new key')).toBeVisible();
  expect(sent.slice(-2)).toEqual(['POST /api/account/passkey', 'POST /api/me/tokens']);
  await expect(page.getByText('this device')).toBeVisible();
  await page.unroute(/\/api\//);

  sent = await refuseOnce(page, 'DELETE', '/api/me/passkeys/');
  await button(page, 'Delete my phone').click();
  const asks = page.getByRole('form', { name: /It has been a while/ });
  await expect(asks.getByLabel('Password')).toBeFocused();
  await asks.getByRole('button', { name: 'Cancel' }).click();
  await expect(asks).toBeHidden();
  await expect(button(page, 'Delete my phone')).toBeFocused();
  expect(sent).toHaveLength(1);
  await button(page, 'Delete my phone').click();
  await expect(page.getByText('my phone', { exact: true })).toHaveCount(0);
});

test.describe('at another address than the public one', () => {
  const elsewhere = StoaServer.forEachTest('--public-url', 'https://stoa.example');

  test('the page says where passkeys work', async ({ browser }) => {
    const { page } = await person(browser, 'Anna');
    await addAuthenticator(page);
    await page.goto(`${elsewhere.address.replace('127.0.0.1', 'localhost')}account`);
    await page.locator('fieldset label', { hasText: 'Sign in' }).click();
    await button(page, 'Sign in with a passkey').click();
    await expect(page.getByRole('alert')).toHaveText(
      'Passkeys work only at stoa.example. Open Stoa there.',
    );
  });
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
