import { m } from '$messages';
import type { Page } from '../pages';
import { prepareSheet } from './sheets';

export const page: Page = {
  name: 'rules',
  title: m.rules_title,
  under: 'learn',
  load: () => import('./Rules.svelte'),
  prepare: prepareSheet,
};
