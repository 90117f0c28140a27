import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: '',
  title: m.home_title,
  order: 1,
  load: () => import('./Home.svelte'),
};
