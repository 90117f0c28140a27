/** Key presses that are meant for the page as a whole. */
import { onMount } from 'svelte';
import { settings } from '$lib/settings/settings.svelte';

/** Where keys have another meaning. */
const FIELDS = 'input, textarea, select, dialog, [role="slider"], [role="menu"]';

/** Whether nobody is typing, and no key is held that makes it something else. */
export function isForPage(event: KeyboardEvent): boolean {
  const isField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
  return !isField && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** The letter or sign that was pressed, if those are shortcuts; else nothing. */
export const letterOf = (event: KeyboardEvent): string =>
  settings.keys && event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : '';

/** The ply that a key leads to in a game of so many plies, unless the key is meant for the board. */
export function plyForKey(event: KeyboardEvent, ply: number, plies: number): number | undefined {
  // On the board the arrow keys go from cell to cell.
  if (event.target instanceof Element && event.target.closest('svg')) return undefined;
  return { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: plies }[event.key];
}

/** How many lists of keys the page has of its own. */
export const keyLists = { count: 0 };

/** Says that a component has its own list of keys; called while it is set up. */
export function ownKeys(): void {
  onMount(() => {
    keyLists.count += 1;
    return () => (keyLists.count -= 1);
  });
}
