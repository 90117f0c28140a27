import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'game',
  title: m.game_title,
  under: 'online',
  load: () => import('./Game.svelte'),
};
