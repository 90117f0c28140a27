import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { locale } from '$lib/i18n/locale';
import { startRouter } from '$lib/router.svelte';
import { applyTheme } from '$lib/theme/theme.svelte';
import { loadModule } from '$lib/worker/module';
import { m } from '$messages';

// The largest part of a first visit: it loads while the page is drawn.
loadModule().catch(() => undefined);
applyTheme();
document.documentElement.lang = locale;
document.documentElement.dir = m.language_direction();
startRouter();

const target = document.getElementById('app');
if (target) mount(App, { target });
