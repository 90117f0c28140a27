import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'challenge',
  title: m.challenge_title,
  under: 'online',
  load: () => import('./Challenge.svelte'),
};
