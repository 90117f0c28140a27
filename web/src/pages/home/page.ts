import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: '',
  title: m.home_title,
  order: 1,
  icon: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  load: () => import('./Home.svelte'),
};
