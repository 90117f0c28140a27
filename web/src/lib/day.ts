/** Days, by which some things change: counted from 1970 in UTC, so that everybody has the same. */
import { getContext } from 'svelte';

/** The key of the day that a page is drawn for in advance (`pages/prerender.ts`). */
export const DAY = Symbol('day');

const DAY_MS = 86_400_000;

/** Today, or the day that the page is drawn for; called while a component is set up. */
export const useDay = (): number =>
  getContext<number | undefined>(DAY) ?? Math.floor(Date.now() / DAY_MS);
