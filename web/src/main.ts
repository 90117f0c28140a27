import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { keepOffline } from '$lib/offline/offline.svelte';
import { followGames } from '$lib/online/attention.svelte';
import { router, startRouter } from '$lib/router.svelte';
import { wakeRules } from '$lib/rules';
import { listenForHands } from '$lib/sound/sound';
import { tryStore } from '$lib/store/storage';
import { loadFonts } from '$lib/theme/fonts';
import { applyTheme } from '$lib/theme/theme.svelte';
import { prepare } from './pages/pages';

// The largest part of a first visit: it loads while the page is drawn.
wakeRules();
applyTheme();
tryStore();
startRouter();
listenForHands();

async function start(target: HTMLElement): Promise<void> {
  // What the server has drawn in advance stays until the page can take its place as a whole.
  const isPrerendered = target.firstElementChild !== null;
  const first = isPrerendered ? await prepare(router.route).catch(() => undefined) : undefined;
  target.replaceChildren();
  document.documentElement.classList.remove('other-than-prerendered');
  mount(App, { target, props: { first } });
  keepOffline();
  followGames();
  loadFonts();
}

const target = document.getElementById('app');
if (target) void start(target);
