import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'leaderboard',
  title: m.leaderboard_title,
  under: 'online',
  load: () => import('./Leaderboard.svelte'),
};
