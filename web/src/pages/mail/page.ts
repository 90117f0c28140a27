import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'mail',
  title: m.mail_title,
  under: 'online',
  load: () => import('./Mail.svelte'),
};
