import { m } from '$messages';
import type { Page } from '../pages';

export const page: Page = {
  name: 'embed',
  title: m.embed_title,
  isBare: true,
  load: () => import('./Embed.svelte'),
};
