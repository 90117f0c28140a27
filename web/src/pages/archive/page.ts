import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'archive',
  title: m.archive_title,
  under: 'online',
  load: () => import('./Archive.svelte'),
};
