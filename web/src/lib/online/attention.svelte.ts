/**
 * What calls for attention from anywhere in the app: how many games wait for a move, and whether one
 * has just begun to. This is all of the online part that a first visit loads; the rest follows only
 * where somebody has played online before.
 */
import { readText, remove, writeText } from '$lib/store/storage';

/** Set while this browser is somebody on the server that the page came from. */
const KEY = 'stoa.online';

export const attention = $state({
  /** Games in which it is our turn. */
  waiting: 0,
  /** Whether the title of the page calls, just now: it flashes while nobody is looking. */
  calls: false,
  /** Something that should be seen wherever one is, and where it leads. */
  toast: null as { words: string; address: string } | null,
  /** A line from the people who run the server, for everybody to see. */
  banner: null as string | null,
});

/** In milliseconds. */
const FLASH_INTERVAL_MS = 1000;
let flashing: ReturnType<typeof setInterval> | undefined;

/** It is our turn, and nobody is looking. */
export function call(): void {
  if (!document.hidden || flashing !== undefined) return;
  attention.calls = true;
  flashing = setInterval(() => (attention.calls = !attention.calls), FLASH_INTERVAL_MS);
}

export function stopCalling(): void {
  clearInterval(flashing);
  flashing = undefined;
  attention.calls = false;
}

export const playsOnline = (): boolean => readText(KEY) !== undefined;

export function setPlaysOnline(plays: boolean): void {
  if (!plays) remove(KEY);
  else if (!playsOnline()) writeText(KEY, 'yes');
}

/** Begins to follow the player's games, where there may be any. */
export function followGames(): void {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) stopCalling();
  });
  if (!playsOnline()) return;
  const load = () =>
    import('./my-games.svelte')
      .then(({ myGames }) => myGames.follow())
      // Without a network nothing can have changed here; with it, something may have.
      .catch(() => addEventListener('online', () => void load(), { once: true }));
  // After the page itself, which is what was asked for.
  setTimeout(() => void load(), 500);
}
