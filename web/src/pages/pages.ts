/**
 * The pages of the app. A page is a folder beside this file with a `page.ts` in it; adding the
 * folder is all there is to adding the page.
 */
import type { Component } from 'svelte';

export interface Page {
  /** The first part of its addresses; the empty name is the first page. */
  name: string;
  title: () => string;
  /** Its place in the navigation; nothing if it is not there. */
  order?: number;
  /** Its picture there: a path in a box of 24 by 24. */
  icon?: string;
  /** The page of the navigation that it belongs to, if it is not there itself. */
  under?: string;
  /** Whether it stands alone, without the navigation: within pages of other people. */
  isBare?: true;
  load: () => Promise<{ default: Component }>;
}

const found = import.meta.glob<{ page: Page }>('./*/page.ts', { eager: true });

export const PAGES: Page[] = Object.values(found).map(({ page }) => page);

export const NAVIGATION: Page[] = PAGES.filter((page) => page.order !== undefined).sort(
  (a, b) => (a.order ?? 0) - (b.order ?? 0),
);
