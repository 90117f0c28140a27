import './styles/tokens.css';
import './styles/base.css';
import { hydrate, mount } from 'svelte';
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
  const isPrerendered = target.firstElementChild !== null;
  const first = isPrerendered ? await prepare(router.route).catch(() => undefined) : undefined;
  const { classList } = document.documentElement;
  if (isPrerendered && !classList.contains('other-than-prerendered')) {
    // What the server has drawn in advance stays and comes to life: nothing is drawn twice.
    hydrate(App, { target, props: { first } });
  } else {
    target.replaceChildren();
    classList.remove('other-than-prerendered');
    mount(App, { target, props: { first } });
  }
  loadFonts();
  // What nobody waits for comes after the page has answered.
  setTimeout(() => {
    keepOffline();
    followGames();
  });
}

const target = document.getElementById('app');
if (target) void start(target);
