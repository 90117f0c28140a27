import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'analyse',
  title: m.analyse_title,
  order: 4,
  load: () => import('./Analyse.svelte'),
};
