import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'review',
  title: m.review_title,
  order: 6,
  load: () => import('./Review.svelte'),
};
