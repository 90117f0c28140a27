import { existsSync } from 'node:fs';

const WHOLE = '/usr/bin/chromium';
/** The same without windows, notifications and the like; tests take two thirds of the time with it. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

const named = process.env['CHROMIUM'];
const launch = (executablePath: string) => ({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});

/** The browser that `CHROMIUM` names, or Debian's. */
export const browser = launch(named ?? (existsSync(HEADLESS) ? HEADLESS : WHOLE));
/** One that shows notifications. */
export const wholeBrowser = launch(named ?? WHOLE);
