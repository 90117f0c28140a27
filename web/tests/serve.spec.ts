import { spawn } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { begin, makeMove, myTurn, watch } from './helpers';

const STOA = process.env['STOA'];

// `cargo xtask test browser` builds the program and names it here.
test.skip(STOA === undefined, 'STOA does not name the program to serve with');

test('the program serves the page, protected and isolated', async ({ page }) => {
  const { problems } = watch(page);
  const server = spawn(STOA ?? '', ['serve', '--listen', '127.0.0.1:0']);
  try {
    const address = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (data: Buffer) => {
        const found = /http:\/\/[\d.:]+\//.exec(data.toString());
        if (found) resolve(found[0]);
      });
      server.on('exit', (code) => reject(new Error(`it has ended with ${code}`)));
    });
    await begin(page, 'columna', 1, address);
    await makeMove(page, 1);
    expect(await myTurn(page)).toBe(true);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(problems).toEqual([]);
    const ended = new Promise((resolve) => server.on('exit', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    server.kill('SIGKILL');
  }
});
