import type { Attachment } from 'svelte/attachments';

/** How near an element must come to the part of the page that is seen. */
const NEAR = '200px';

/** Calls once, when the element comes into view or nearly so: what nobody sees need not be drawn. */
export const whenSeen =
  (seen: () => void): Attachment =>
  (element) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        seen();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  };
