/** Where the keyboard goes: to the heading of a page that was opened, and back to what was pressed. */
import { tick } from 'svelte';

/** Longer than this nobody waits for a heading. */
const FOCUS_TIMEOUT_MS = 3000;

/** Focuses the heading within an element as soon as it is there; returns how to give up. */
export function focusHeading(within: HTMLElement | null): () => void {
  const before = document.activeElement;
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const look = () => {
    // Whoever has gone on meanwhile is not called back.
    const isElsewhere =
      document.activeElement !== before && document.activeElement !== document.body;
    const heading = within?.querySelector<HTMLElement>('h1');
    if (!heading && !isElsewhere) return;
    stop();
    if (!heading || isElsewhere) return;
    if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  if (within) observer.observe(within, { childList: true, subtree: true });
  const timer = setTimeout(stop, FOCUS_TIMEOUT_MS);
  // What is there at this moment may be the page before.
  const first = requestAnimationFrame(look);
  return () => {
    cancelAnimationFrame(first);
    stop();
  };
}

/**
 * Does something that may switch off or take away what has the focus, and gives the focus back. Where that is gone,
 * the heading of what it stood in has it, or the whole of that, so that nothing is pressed by accident.
 */
export async function keepFocus<T>(act: () => Promise<T>): Promise<T> {
  const before = document.activeElement;
  const around: HTMLElement[] = [];
  for (let one = before?.parentElement; one && one !== document.body; one = one.parentElement) {
    around.push(one);
  }
  try {
    return await act();
  } finally {
    await tick();
    if (before instanceof HTMLElement && before !== document.body && isLost()) {
      const canTake = before.isConnected && !before.matches(':disabled');
      const place = around.find((one) => one.isConnected);
      if (canTake) before.focus({ preventScroll: true });
      else if (place) focusPlace(place);
    }
  }
}

/** Whether nothing has the focus, or something that cannot be used. */
const isLost = (): boolean =>
  document.activeElement === document.body ||
  (document.activeElement?.matches(':disabled') ?? true);

function focusPlace(place: HTMLElement): void {
  const target = place.querySelector<HTMLElement>('h1, h2, h3') ?? place;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
