import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'puzzles',
  title: m.puzzles_title,
  order: 5,
  load: () => import('./Puzzles.svelte'),
};
