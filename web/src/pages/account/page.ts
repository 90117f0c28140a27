import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'account',
  title: m.account_title,
  load: () => import('./Account.svelte'),
};
