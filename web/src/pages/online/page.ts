import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'online',
  title: m.online_title,
  order: 2.5,
  icon: 'M8.5 11a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM2.8 19.5c0-3.4 2.5-5.5 5.7-5.5s5.7 2.1 5.7 5.5M15.5 10.6a2.8 2.8 0 1 0 0-5.2M17 14.3c2.5.5 4.2 2.4 4.2 5.2',
  load: () => import('./Online.svelte'),
};
