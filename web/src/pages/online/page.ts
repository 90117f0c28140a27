import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'online',
  title: m.online_title,
  order: 2.5,
  load: () => import('./Online.svelte'),
};
