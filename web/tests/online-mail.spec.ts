import { createServer, type Server } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './helpers';
import { everybodyLeaves, person } from './people';
import { STOA, StoaServer } from './server';

/** A mail server that keeps what it is sent. */
class MailServer {
  readonly mails: string[] = [];
  private server?: Server;

  async start(): Promise<string> {
    const server = createServer((socket) => {
      let inData = false;
      let text = '';
      socket.write('220 mail\r\n');
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        text += bytes.toString();
        for (;;) {
          const end = inData ? '\r\n.\r\n' : '\r\n';
          const at = text.indexOf(end);
          if (at < 0) return;
          const line = text.slice(0, at);
          text = text.slice(at + end.length);
          if (inData) {
            this.mails.push(line.replaceAll('=\r\n', '').replaceAll('=3D', '='));
            inData = false;
          } else if (line === 'DATA') {
            inData = true;
            socket.write('354 go on\r\n');
            continue;
          } else if (line === 'QUIT') socket.end('221 bye\r\n');
          if (line !== 'QUIT') socket.write('250 good\r\n');
        }
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `smtp://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.server?.close();
  }

  /** The address within the page that the latest mail leads to, once there are so many. */
  async link(count: number): Promise<string> {
    await expect.poll(() => this.mails.length).toBe(count);
    const found = /#\/mail\/\w+\/[\w-]+/.exec(this.mails.at(-1) ?? '');
    return found?.[0] ?? '';
  }
}

test.skip(STOA === undefined, 'STOA does not name the program to serve with');
const mail = new MailServer();
let server: StoaServer;
test.beforeEach(async () => {
  const from = ['--mail-from', 'Stoa <stoa@club.example>'];
  const url = ['--mail-url', await mail.start(), '--public-url', 'http://club.example'];
  server = new StoaServer(...url, ...from);
  await server.start();
});
test.afterEach(async () => {
  await everybodyLeaves();
  await server.stop();
  mail.stop();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an address is given, confirmed, and replaces a forgotten password', async ({ browser }) => {
  const { page, problems } = await person(browser, 'Anna');
  await page.goto(`${server.address}#/account`);
  await page.locator('fieldset label', { hasText: 'Create an account' }).click();
  await page.getByLabel('Sign-in name').fill('Anna');
  await page.getByLabel('Password', { exact: true }).fill('a stoa by the sea');
  await button(page, 'Create an account').click();
  await expect(page.getByText(/^Signed in as anna/i)).toBeVisible();

  const section = page.locator('section', { has: page.getByRole('heading', { name: 'E-mail' }) });
  await section.getByLabel('E-mail address').fill('anna@elea.example');
  await section.getByLabel('Current password').fill('a stoa by the river');
  await button(page, 'Send a link').click();
  await expect(section.getByText('Wrong password.')).toBeVisible();
  await section.getByLabel('Current password').fill('a stoa by the sea');
  await button(page, 'Send a link').click();
  await expect(section.getByText(/A link was sent to anna@elea\.example/)).toBeVisible();
  await expectAccessible(page);
  const confirm = await mail.link(1);
  await page.goto(`${server.address}${confirm}`);
  await button(page, 'Confirm address').click();
  await expect(page.getByText(/Confirmed: mail goes to anna@elea\.example/)).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${server.address}#/account`);
  await section.getByLabel('When somebody challenges me').uncheck();
  await page.reload();
  await expect(section.getByLabel('When somebody challenges me')).not.toBeChecked();
  await expect(section.getByLabel('When it is my turn in a game without a clock')).toBeChecked();

  // On another device, where nobody remembers the password.
  const phone = await person(browser, 'Anna');
  await phone.page.goto(`${server.address}#/account`);
  await phone.page.locator('fieldset label', { hasText: 'Sign in' }).click();
  await phone.page.getByRole('link', { name: 'Forgot your password?' }).click();
  await phone.page.getByLabel('E-mail address').fill('anna@elea.example');
  await button(phone.page, 'Send the link').click();
  await expect(phone.page.getByText(/a link is on its way/).first()).toBeVisible();
  const reset = await mail.link(2);
  await phone.page.goto(`${server.address}${reset}`);
  await phone.page.getByLabel('New password').fill('a stoa by the river');
  await expectAccessible(phone.page);
  await button(phone.page, 'Set password and sign in').click();
  await expect(phone.page.getByText(/you are signed in/).first()).toBeVisible();
  await phone.page.goto(`${server.address}#/account`);
  await expect(phone.page.getByText(/^Signed in as anna/i)).toBeVisible();
  // The link was good once, and the first device is signed out.
  await phone.page.goto(`${server.address}${reset}`);
  await phone.page.getByLabel('New password').fill('a stoa by the lake');
  await button(phone.page, 'Set password and sign in').click();
  await expect(phone.page.getByText(/This link has been used already/)).toBeVisible();
  await phone.page.getByRole('link', { name: 'Send me a new link' }).click();
  await expect(phone.page.getByRole('heading', { name: 'Forgot your password?' })).toBeFocused();
  await page.goto(`${server.address}#/account`);
  await page.reload();
  await expect(page.getByText('You have no name here yet.')).toBeVisible();
  // The wrong password was refused.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
});
