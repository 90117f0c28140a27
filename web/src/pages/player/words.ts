/** Words about ratings. */
import { m } from '$messages';
import type { Pace } from '$lib/online/wire';

export const paceWords = (pace: Pace): string =>
  pace === 'live' ? m.rating_live() : m.rating_correspondence();
