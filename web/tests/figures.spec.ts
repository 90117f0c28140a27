/**
 * The figures in docs/web.md, measured anew: `FIGURES=1 npx playwright test figures`, with
 * `STOA=../target/release/stoa` also the engine's speed against the program's. They are read by people
 * and fail nowhere: what a machine does besides is not known here.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { begin, possible } from './helpers';

test.skip(process.env['FIGURES'] === undefined, 'FIGURES is not set');
test.describe.configure({ mode: 'serial' });
test.setTimeout(300_000);

const IMPASSE = '1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w';
const COLOSSUS = 't2W/5/6/t5t/6/5/B2t b 3 0 6';
const COLUMNA = 'x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0';
const PALISADE = `${Array.from({ length: 9 }, () => '9').join('/')} b`;

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers: number[], part: number) =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))] ?? NaN;
const tell = (what: string, value: number, unit: string) =>
  console.log(`${what}: ${value.toFixed(value < 10 ? 1 : 0)} ${unit}`);

/** A game between two people, ready to go on. */
function keepGame(page: Page, game: string) {
  const saved = {
    version: 1,
    id: 'seen',
    name: game,
    game,
    moves: [],
    players: [{ kind: 'person' }, { kind: 'person' }],
    seed: 1,
    created: 1,
    updated: 1,
  };
  return page.addInitScript(
    (text) => localStorage.setItem('stoa.game.seen', text),
    JSON.stringify(saved),
  );
}

/** The times from frame to frame while so many milliseconds pass. */
function framesFor(page: Page, ms: number): Promise<number[]> {
  return page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = [];
        const begun = performance.now();
        let last = begun;
        const frame = (now: number) => {
          found.push(now - last);
          last = now;
          if (now - begun < ms) requestAnimationFrame(frame);
          else resolve(found.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    ms,
  );
}

function tellFrames(gaps: number[]): void {
  tell('time from frame to frame, median', quantile(gaps, 0.5), 'ms');
  tell('time from frame to frame, 95 of 100', quantile(gaps, 0.95), 'ms');
  tell('frames a second', 1000 / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length), '');
}

for (const slowdown of [1, 4]) {
  test(`first board, on a machine ${slowdown} times slower`, async ({ browser }) => {
    const times: Record<string, number[]> = { 'first board': [], 'board to play on': [] };
    const busy: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const [what, address, sign] of [
        ['first board', '/#/play/impasse', 'svg.board .token'],
        ['board to play on', '/#/play/g/seen', '.hit.possible'],
      ] as const) {
        const context = await browser.newContext({ serviceWorkers: 'block' });
        const page = await context.newPage();
        await keepGame(page, 'impasse');
        await page.addInitScript((selector) => {
          const look = () => {
            if (document.querySelector(selector) === null) return requestAnimationFrame(look);
            return requestAnimationFrame(() =>
              Object.assign(globalThis, { seenAt: performance.now() }),
            );
          };
          look();
        }, sign);
        const session = await context.newCDPSession(page);
        // What the page itself takes of a processor, whatever else the machine does.
        await session.send('Performance.enable', { timeDomain: 'threadTicks' });
        await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
        await page.goto(address);
        await page.waitForFunction(() => 'seenAt' in globalThis);
        times[what]?.push(
          await page.evaluate(() => (globalThis as unknown as { seenAt: number }).seenAt),
        );
        const { metrics } = await session.send('Performance.getMetrics');
        const work = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
        if (what === 'board to play on') busy.push(1000 * work);
        await context.close();
      }
    }
    tell(`work of the page until then, ${slowdown}× slower, median`, quantile(busy, 0.5), 'ms');
    for (const [what, taken] of Object.entries(times)) {
      tell(`${what}, ${slowdown}× slower, median`, quantile(taken, 0.5), 'ms');
      tell(`${what}, ${slowdown}× slower, best`, quantile(taken, 0), 'ms');
    }
  });
}

test('input to paint while the engine thinks', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('stoa.settings', JSON.stringify({ bar: true }));
    const durations: number[] = [];
    Object.assign(globalThis, { durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.name === 'pointerup' || entry.name === 'click') durations.push(entry.duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await begin(page, 'impasse');
  const clicks = 40;
  for (let i = 0; i < clicks; i += 1) {
    await page.locator('[data-name="h2"]').click();
    await page.waitForTimeout(100);
  }
  const measured = await page.evaluate(
    () => (globalThis as unknown as { durations: number[] }).durations,
  );
  // What was painted within one frame is not even listed.
  const all = [...measured, ...Array.from({ length: 2 * clicks }, () => 16)].slice(0, 2 * clicks);
  tell('input to paint while thinking, median', quantile(all, 0.5), 'ms');
  tell('input to paint while thinking, 95 of 100', quantile(all, 0.95), 'ms');
});

test('frames while stones move on 19 by 19 points', async ({ page }) => {
  await keepGame(page, 'palisade:19');
  await page.goto('/#/play/g/seen');
  await expect(possible(page).first()).toBeVisible();
  const gaps: number[] = [];
  for (let i = 0; i < 12; i += 1) {
    const count = await possible(page).count();
    const frames = framesFor(page, 500);
    await possible(page)
      .nth((i * 29) % count)
      .dispatchEvent('click');
    gaps.push(...(await frames));
  }
  tellFrames(gaps);
});

/**
 * LOBBY is the address of a server on which games are played:
 * `stoa serve --rate 0`, and `stoa-load soak --hours 0.1 --games 200 --server http://127.0.0.1:8473`.
 */
test('frames and traffic of a lobby with many boards', async ({ page }) => {
  const lobby = process.env['LOBBY'];
  test.skip(lobby === undefined, 'LOBBY is not set');
  let bytes = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      bytes += payload.length;
    }),
  );
  await page.goto(`${lobby}/#/online`);
  await page.getByRole('button', { name: /^Show all \d+ boards$/ }).click();
  await expect.poll(() => page.locator('.boards li').count()).toBeGreaterThan(100);
  await page.waitForTimeout(3000);
  bytes = 0;
  const begun = Date.now();
  const gaps = await framesFor(page, 20_000);
  tell('boards', await page.locator('.boards li').count(), '');
  tellFrames(gaps);
  tell('received', bytes / 1000 / ((Date.now() - begun) / 1000), 'KB a second before compression');
});

test('the engine in the browser against the program', async ({ page }) => {
  await page.goto('/');
  const assets = readdirSync(new URL('../dist/assets', import.meta.url));
  const find = (pattern: RegExp) => `/assets/${assets.find((name) => pattern.test(name)) ?? ''}`;
  const files = { worker: find(/^worker.*\.js$/), module: find(/\.wasm$/) };
  for (const [game, position, nodes, file] of [
    ['impasse', IMPASSE, 2_000_000, undefined],
    ['palisade:9', PALISADE, 20_000, undefined],
    ['impasse', IMPASSE, 1_000_000, 'impasse/default.net'],
    ['colossus', COLOSSUS, 1_000_000, 'colossus/default.net'],
    ['columna', COLUMNA, 500_000, 'columna/spaces.net'],
    ['palisade:9', PALISADE, 4_000, 'palisade/default.net'],
  ] as const) {
    const net =
      file && readFileSync(new URL(`../../crates/engine/src/games/${file}`, import.meta.url));
    const inBrowser = () =>
      page.evaluate(
        async ({ files: { worker: script, module }, game, position, nodes, net }) => {
          const compiled = await WebAssembly.compileStreaming(fetch(module));
          const worker = new Worker(script, { type: 'module' });
          const answer = await new Promise<string>((resolve, reject) => {
            worker.onmessage = ({ data }) => {
              if ('ready' in data) {
                const question = { ask: 'think', game, position, limits: { nodes } };
                const bytes = net && Uint8Array.from(atob(net), (byte) => byte.charCodeAt(0));
                worker.postMessage({ id: 1, question: JSON.stringify(question), net: bytes });
              } else if ('answer' in data) resolve(data.answer);
              else if ('died' in data) reject(new Error(data.died));
            };
            worker.postMessage({ start: 'engine', module: compiled, stop: null });
          });
          worker.terminate();
          return answer;
        },
        { files, game, position, nodes, net: net?.toString('base64') },
      );
    const speed = (thought: { nodes: number; time: { secs: number; nanos: number } }) =>
      thought.nodes / (thought.time.secs + thought.time.nanos / 1e9);
    const browser: number[] = [];
    const native: number[] = [];
    const stoa = process.env['STOA'];
    for (let round = 0; round < 5; round += 1) {
      browser.push(speed(JSON.parse(await inBrowser()).ok));
      if (stoa === undefined) continue;
      const limits = [
        '--nodes',
        String(nodes),
        '--threads',
        '1',
        '--evaluation',
        net ? 'net' : 'terms',
        '--json',
      ];
      const said = execFileSync(stoa, ['analyse', game, '-p', position, ...limits]).toString();
      const last = JSON.parse(said.trim().split('\n').at(-1) ?? '');
      native.push(last.nodes / last.seconds);
    }
    const what = `${game} with ${net ? 'network' : 'terms'}`;
    tell(`${what} in the browser, best`, Math.max(...browser), 'positions or playouts a second');
    if (native.length === 0) continue;
    tell(`${what} in the program, best`, Math.max(...native), 'positions or playouts a second');
    tell(`${what}, browser of program`, (100 * Math.max(...browser)) / Math.max(...native), '%');
  }
});

test('two workers against one', async ({ page }) => {
  await page.goto('/');
  const assets = readdirSync(new URL('../dist/assets', import.meta.url));
  const find = (pattern: RegExp) => `/assets/${assets.find((name) => pattern.test(name)) ?? ''}`;
  const files = { worker: find(/^worker.*\.js$/), module: find(/\.wasm$/) };
  for (const [game, file, limits] of [
    ['impasse', 'impasse/default.net', { depth: 13 }],
    ['colossus', 'colossus/default.net', { depth: 13 }],
    ['columna', 'columna/spaces.net', { depth: 9 }],
    ['palisade:9', 'palisade/default.net', { nodes: 8_000 }],
  ] as const) {
    const net = readFileSync(new URL(`../../crates/engine/src/games/${file}`, import.meta.url));
    const seconds = (workers: number) =>
      page.evaluate(
        async ({ files, game, limits, net, workers }) => {
          const compiled = await WebAssembly.compileStreaming(fetch(files.module));
          const words = new SharedArrayBuffer(4 * 270_000);
          const bytes = Uint8Array.from(atob(net), (byte) => byte.charCodeAt(0));
          const ask = (worker: Worker, question: object) =>
            new Promise<string>((resolve, reject) => {
              worker.onmessage = ({ data }) => {
                if ('answer' in data) resolve(data.answer);
                else if ('died' in data) reject(new Error(data.died));
              };
              worker.postMessage({ id: 1, question: JSON.stringify(question), net: bytes });
            });
          const start = async (helper: number | null) => {
            const worker = new Worker(files.worker, { type: 'module' });
            const stop = new SharedArrayBuffer(4);
            const ready = new Promise((resolve) => (worker.onmessage = resolve));
            const crew = workers > 1 ? { words, helper } : undefined;
            worker.postMessage({ start: 'engine', module: compiled, stop, crew });
            await ready;
            return { worker, stop };
          };
          const state = await start(null);
          const rules = new Worker(files.worker, { type: 'module' });
          const ready = new Promise((resolve) => (rules.onmessage = resolve));
          rules.postMessage({ start: 'rules', module: compiled, stop: null });
          await ready;
          const told = JSON.parse(await ask(rules, { ask: 'state', game }));
          const { position } = told.ok;
          const helpers = await Promise.all(
            Array.from({ length: workers - 1 }, (_, helper) => start(helper)),
          );
          const question = { ask: 'think', game, position };
          const helped = helpers.map(({ worker }) => ask(worker, { ...question, limits: {} }));
          await new Promise((resolve) => setTimeout(resolve, 100));
          const { time } = JSON.parse(await ask(state.worker, { ...question, limits })).ok;
          for (const { stop } of helpers) Atomics.store(new Int32Array(stop), 0, 1);
          await Promise.all(helped);
          for (const { worker } of [state, ...helpers]) worker.terminate();
          rules.terminate();
          return time.secs + time.nanos / 1e9;
        },
        { files, game, limits, net: net.toString('base64'), workers },
      );
    const [one, two]: number[][] = [[], []];
    for (let round = 0; round < 5; round += 1) {
      one?.push(await seconds(1));
      two?.push(await seconds(2));
    }
    const median = (times: number[] = []) => sorted(times)[2] ?? NaN;
    tell(`${game}, one worker, in the middle`, median(one), 's');
    tell(`${game}, two workers together, in the middle`, median(two), 's');
  }
});
