import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'account',
  title: m.account_title,
  under: 'online',
  load: () => import('./Account.svelte'),
};
