/**
 * Runs before anything is painted (`build/first-paint.ts` makes it a plain script): the colours that were
 * chosen, and whether what the server has drawn in advance is what this reader would see.
 */
export {};

{
  const root = document.documentElement;
  let stored: string[] = [];
  let settings: { theme?: unknown; board?: unknown; palette?: unknown } = {};
  let language: string | null = null;
  try {
    stored = Object.keys(localStorage);
    settings = JSON.parse(localStorage.getItem('stoa.settings') ?? '{}') ?? {};
    language = localStorage.getItem('stoa.locale');
  } catch {
    // Without a store nothing was chosen.
  }
  // `applyTheme` looks closer, and follows changes.
  const isDark =
    settings.theme === 'dark' ||
    (settings.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset['theme'] = isDark ? 'dark' : 'light';
  for (const name of ['board', 'palette'] as const) {
    const chosen = settings[name];
    if (typeof chosen === 'string') root.dataset[name] = chosen;
  }
  const base = document.querySelector('base')?.href ?? location.href;
  const isFirstPage = location.href.replace(/[?#].*/, '') === base;
  const isOther =
    location.hash.startsWith('#/') ||
    (language !== null && language !== root.lang) ||
    // The first page shows the game that was played last.
    (isFirstPage && stored.some((key) => key.startsWith('stoa.game.'))) ||
    top !== self;
  if (isOther) root.classList.add('other-than-prerendered');
  // The names of players are in the title alone, until the page can show the game.
  const path = location.href.startsWith(base) ? location.href.slice(base.length) : '';
  if (/^(game|player)\//.test(path)) {
    const name = () => {
      const place = document.querySelector('.coming');
      if (place) place.textContent = document.title.replace(/ – [^–]*$/, '');
    };
    // As soon as all of the page is there, and before its scripts.
    document.addEventListener('readystatechange', name, { once: true });
  }
}
