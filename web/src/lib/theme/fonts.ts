/**
 * The page's own type. At the first visit a game that can be played comes first, and the letters when
 * nothing else is to be done; from then on the browser has them, and they are there at once.
 */
import { readText, writeText } from '$lib/store/storage';

const KEY = 'stoa.fonts';

export function loadFonts(): void {
  const load = () =>
    void import('../../styles/fonts.css').then(
      () => writeText(KEY, 'kept'),
      // Without them the letters of the system are used.
      () => undefined,
    );
  if (readText(KEY) !== undefined) load();
  else if (document.readyState === 'complete') setTimeout(load);
  else addEventListener('load', () => setTimeout(load), { once: true });
}
