import { expect, type Page, test } from '@playwright/test';
import { begin, expectAccessible, makeMove, movesPlayed, myTurn, possible } from './helpers';

test('the engine killed while it thinks is replaced', async ({ page }) => {
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (options?.name === 'stoa-engine') workers.push(this);
      }
    };
    Object.assign(globalThis, { engineWorkers: workers });
  });
  await begin(page, 'impasse', { level: 10 });
  await makeMove(page, 1);
  await expect(page.getByText('is thinking')).toBeVisible();
  await page.evaluate(() => {
    const { engineWorkers } = globalThis as unknown as { engineWorkers: Worker[] };
    engineWorkers[0]?.terminate();
    engineWorkers[0]?.dispatchEvent(new ErrorEvent('error', { message: 'killed' }));
  });
  await expect(possible(page).first()).toBeVisible({ timeout: 15_000 });
  expect(await movesPlayed(page)).toBe(2);
});

test('taking back stops the search at once', async ({ page }) => {
  await begin(page, 'impasse', { level: 10 });
  await makeMove(page, 1);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(possible(page).first()).toBeVisible({ timeout: 1500 });
  expect(await movesPlayed(page)).toBe(0);
  await makeMove(page, 4);
  expect(await myTurn(page)).toBe(true);
});

test('without shared memory the search is stopped, too', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'crossOriginIsolated', { value: false });
  });
  await begin(page, 'impasse', { level: 10 });
  await makeMove(page, 1);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(possible(page).first()).toBeVisible({ timeout: 1500 });
  await makeMove(page, 4);
  expect(await myTurn(page)).toBe(true);
});

/** How long the board takes to answer a click, ten times, in milliseconds; the median. */
function medianAnswer(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const taken: number[] = [];
    const cell = (name: string) => document.querySelector(`[data-name="${name}"]`);
    for (let i = 0; i < 10; i += 1) {
      const begun = performance.now();
      cell('h2')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      while (!cell('g3')?.classList.contains('possible')) {
        await new Promise((resolve) => setTimeout(resolve));
      }
      taken.push(performance.now() - begun);
      cell('h2')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return taken.sort((a, b) => a - b)[5] ?? Infinity;
  });
}

test('the board answers while the engine thinks', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('stoa.settings', JSON.stringify({ bar: true }));
  });
  await begin(page, 'impasse');
  await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', /./);
  // How soon is measured in figures.spec.ts; here, that a thought of seconds does not hold the board up.
  expect(await medianAnswer(page)).toBeLessThan(1000);
});

test('a damaged game stays as it is, and there is a way on', async ({ page }) => {
  await page.addInitScript(() => {
    if (localStorage.getItem('stoa.game.broken') === null)
      localStorage.setItem('stoa.game.broken', '{"version":1,');
  });
  await page.goto('/#/play/g/broken');
  await expect(page.getByRole('alert')).toContainText('cannot be read');
  await page.goto('/#/play');
  await expect(page.getByText('A saved game cannot be read.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('stoa.game.broken'))).toBe('{"version":1,');
});

test('a game with an impossible move is not opened, nor changed', async ({ page }) => {
  const game = {
    version: 1,
    id: 'wrong',
    name: 'Wrong',
    game: 'impasse',
    moves: ['a1-a8'],
    players: [{ kind: 'person' }, { kind: 'person' }],
    seed: 1,
    created: 1,
    updated: 1,
  };
  await page.addInitScript(
    (text) => localStorage.setItem('stoa.game.wrong', text),
    JSON.stringify(game),
  );
  await page.goto('/#/play/g/wrong');
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('stoa.game.wrong'))).toBe(
    JSON.stringify(game),
  );
});

test('without a store one can play all the same', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await begin(page, 'colonnade');
  await expect(page.getByRole('alert')).toContainText('storage is full or turned off');
  await makeMove(page, 1);
  expect(await myTurn(page)).toBe(true);
});

test('a full store is reported once, and settings still work', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.goto('/');
  const notice = page.getByRole('complementary');
  await expect(notice).toContainText('turned off or full');
  await expectAccessible(page);
  await notice.getByRole('button', { name: 'Got it' }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByText('Español').click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(notice).toHaveCount(0);
});

test('unknown addresses are answered kindly', async ({ page }) => {
  await page.goto('/#/nowhere/at/all');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto('/#/play/g/none');
  await expect(page.getByRole('alert')).toContainText('There is no such game in this browser');
});

test('a browser without WebAssembly gets an explanation', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'WebAssembly', { value: undefined });
  });

  await page.goto('/#/play/colonnade');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('WebAssembly');
});

/** As in a browser that has no vector instructions in WebAssembly. */
const withoutVectors = (page: Page) =>
  page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });

test('an old browser has the module without vector instructions, and a level plays', async ({
  page,
}) => {
  const modules: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.wasm')) modules.push(request.url());
  });
  await withoutVectors(page);
  // A level that judges with a network.
  await begin(page, 'palisade:5', { level: 3 });
  await makeMove(page, 1);
  await expect.poll(() => myTurn(page), { timeout: 20_000 }).toBe(true);
  expect(await movesPlayed(page)).toBe(2);
  expect(modules.some((url) => url.includes('plain'))).toBe(true);
  expect(modules.every((url) => url.includes('plain'))).toBe(true);
});

test('a browser that is too old is told so', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'WebAssembly', { value: undefined });
  });
  await page.goto('/#/play/impasse');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('alert').first()).toContainText('This browser is too old for Stoa');
});
