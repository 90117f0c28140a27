import { defineConfig } from '@playwright/test';
import { browser } from './tests/browsers';

const PORT = Number(process.env['STOA_WEB_PORT'] ?? 4789);

export default defineConfig({
  testDir: './tests',
  // A whole game between two people takes a minute on a busy machine.
  timeout: 120_000,
  fullyParallel: true,
  // Tests mostly wait: for a thought, a clock, an animation.
  workers: 4,
  forbidOnly: Boolean(process.env['CI']),
  // A machine that stalls for seconds is no fault of the page; what passed only the second time is listed as flaky.
  retries: process.env['CI'] ? 1 : 0,
  reporter: 'list',
  // One picture for all machines: only boards are compared, without letters.
  snapshotPathTemplate: '{testDir}/boards/{arg}{ext}',
  use: {
    baseURL: `http://127.0.0.1:${PORT}/`,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // Keeping the page for offline use takes time that only its own tests need.
    serviceWorkers: 'block',
    launchOptions: browser,
  },
  webServer: {
    command: `npx vite preview --host 127.0.0.1 --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}/`,
    reuseExistingServer: false,
  },
});
