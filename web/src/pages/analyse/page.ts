import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'analyse',
  title: m.analyse_title,
  order: 4,
  icon: 'M4 20V4M4 20h16M7 15l4-5 3.5 3 5-7',
  load: () => import('./Analyse.svelte'),
};
