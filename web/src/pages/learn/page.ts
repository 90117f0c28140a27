import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'learn',
  title: m.learn_title,
  order: 3,
  load: () => import('./Learn.svelte'),
};
