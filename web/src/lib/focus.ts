/** Takes the keyboard to the heading of a page that has just been opened. */

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
