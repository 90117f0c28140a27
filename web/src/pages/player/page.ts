import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'player',
  title: m.player_title,
  under: 'online',
  load: () => import('./Player.svelte'),
};
