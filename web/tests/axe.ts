import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from '@playwright/test';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Runs axe in the page, with the rules of WCAG AA and best practice. */
export class AxeBuilder {
  constructor(private readonly page: Page) {}

  async analyze(): Promise<AxeResults> {
    // The page forbids foreign scripts, so axe comes through the debugger instead of a tag.
    const { readFile } = await import('node:fs/promises');
    await this.page.evaluate(await readFile(source, 'utf8'));
    // What fades in has little contrast until it is there.
    await this.page.evaluate(async () => {
      const ends = (one: Animation) => Number.isFinite(one.effect?.getComputedTiming().endTime);
      const running = document.getAnimations().filter(ends);
      await Promise.allSettled(running.map((one) => one.finished));
    });
    return this.page.evaluate(() =>
      (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
    );
  }
}
