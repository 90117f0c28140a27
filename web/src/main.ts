import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { keepOffline } from '$lib/offline/offline.svelte';
import { followGames } from '$lib/online/attention.svelte';
import { startRouter } from '$lib/router.svelte';
import { wakeRules } from '$lib/rules';
import { listenForHands } from '$lib/sound/sound';
import { tryStore } from '$lib/store/storage';
import { loadFonts } from '$lib/theme/fonts';
import { applyTheme } from '$lib/theme/theme.svelte';

// The largest part of a first visit: it loads while the page is drawn.
wakeRules();
applyTheme();
tryStore();
startRouter();
listenForHands();

const target = document.getElementById('app');
if (target) mount(App, { target });
keepOffline();
followGames();
loadFonts();
