import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'play',
  title: m.play_title,
  order: 2,
  load: () => import('./Play.svelte'),
};
