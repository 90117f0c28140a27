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
    return this.page.evaluate(() =>
      (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
    );
  }
}
