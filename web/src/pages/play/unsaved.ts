/** Games that the browser would not keep; they live as long as the page does. */
import type { SavedGame } from '$lib/store/games';

export const unsaved = new Map<string, SavedGame>();
