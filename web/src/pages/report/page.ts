import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'report',
  title: m.report_title,
  under: 'learn',
  load: () => import('./Report.svelte'),
};
