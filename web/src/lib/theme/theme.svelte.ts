/** Puts the chosen colours and language into effect, also when the system's colours change. */
import { m } from '$messages';
import { locale } from '$lib/i18n/locale.svelte';
import { settings } from '$lib/settings/settings.svelte';

const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
let systemIsDark = $state(dark?.matches ?? false);
dark?.addEventListener('change', (event) => (systemIsDark = event.matches));

/** Keeps the document as the settings say; to be called once. */
export function applyTheme(): void {
  $effect.root(() => {
    $effect.pre(() => {
      const root = document.documentElement;
      const chosen = settings.theme === 'auto' ? (systemIsDark ? 'dark' : 'light') : settings.theme;
      root.dataset['theme'] = chosen;
      root.dataset['board'] = settings.board;
      root.dataset['palette'] = settings.palette;
      root.lang = locale();
      root.dir = m.language_direction();
    });
  });
}
