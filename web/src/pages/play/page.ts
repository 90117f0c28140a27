import { untrack } from 'svelte';
import { loadLook, plainId } from '$games/index';
import { m } from '$messages';
import { router } from '$lib/router.svelte';
import { loadGame } from '$lib/store/games';
import type { Page } from '../pages';

/** The look of the board that will be shown is loaded beside the page, not after it. */
function loadBoard(): void {
  const [first = '', id = ''] = router.route.parts;
  const loaded = first === 'g' ? loadGame(id) : undefined;
  const game = plainId(loaded && 'game' in loaded ? loaded.game.game : first);
  // If this fails, the component that shows the board says so.
  if (game) loadLook(game).catch(() => undefined);
}

export const page: Page = {
  name: 'play',
  title: m.play_title,
  order: 2,
  icon: 'M12 4a3.5 3.5 0 0 1 2 6.4l1.6 6.1H8.4L10 10.4A3.5 3.5 0 0 1 12 4zM6.5 19.5h11',
  load: () => {
    untrack(loadBoard);
    return import('./Play.svelte');
  },
};
