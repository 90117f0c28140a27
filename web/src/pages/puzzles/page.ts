import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'puzzles',
  title: m.puzzles_title,
  order: 5,
  icon: 'M10 4.5a2 2 0 1 1 4 0V6h4v4h1.5a2 2 0 1 1 0 4H18v5H6v-5h1a2 2 0 1 0 0-4H6V6h4z',
  load: () => import('./Puzzles.svelte'),
};
