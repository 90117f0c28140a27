import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'review',
  title: m.review_title,
  order: 6,
  icon: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20.5 20.5M7.5 10.5l2.200 2.200 3.800-4.200',
  load: () => import('./Review.svelte'),
};
