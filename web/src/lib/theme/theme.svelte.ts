/** Puts the chosen colours into effect, also when the system's change. */
import { settings } from '$lib/settings/settings.svelte';

const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
let systemIsDark = $state(dark?.matches ?? false);
dark?.addEventListener('change', (event) => (systemIsDark = event.matches));

/** Keeps the document's colours as the settings say; to be called once. */
export function applyTheme(): void {
  $effect.root(() => {
    $effect.pre(() => {
      const root = document.documentElement;
      const chosen = settings.theme === 'auto' ? (systemIsDark ? 'dark' : 'light') : settings.theme;
      root.dataset['theme'] = chosen;
      root.dataset['board'] = settings.board;
      root.dataset['palette'] = settings.palette;
    });
  });
}
