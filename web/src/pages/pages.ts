/**
 * The pages of the app. A page is a folder beside this file with a `page.ts` in it; adding the
 * folder is all there is to adding the page.
 */
import type { Component } from 'svelte';
import type { Route } from '$lib/router.svelte';

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
  /** Loads what its first picture is made of, besides its code. */
  prepare?: (parts: string[]) => Promise<unknown>;
}

/** A page that is loaded, so that it can be shown at once. */
export interface Prepared {
  page: Page;
  Content: Component;
}

const found = import.meta.glob<{ page: Page }>('./*/page.ts', { eager: true });

export const PAGES: Page[] = Object.values(found).map(({ page }) => page);

export const NAVIGATION: Page[] = PAGES.filter((page) => page.order !== undefined).sort(
  (a, b) => (a.order ?? 0) - (b.order ?? 0),
);

/** Loads the page of a route with what it shows first; nothing if there is none. */
export async function prepare({ page: name, parts }: Route): Promise<Prepared | undefined> {
  const page = PAGES.find((one) => one.name === name);
  if (page === undefined) return undefined;
  const [{ default: Content }] = await Promise.all([page.load(), page.prepare?.(parts)]);
  return { page, Content };
}
