import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'learn',
  title: m.learn_title,
  order: 3,
  icon: 'M12 6.5C10 5 7 4.6 3.5 5v13c3.5-.4 6.5 0 8.5 1.5M12 6.5C14 5 17 4.6 20.5 5v13c-3.5-.4-6.5 0-8.5 1.5M12 6.5v13',
  load: () => import('./Learn.svelte'),
};
