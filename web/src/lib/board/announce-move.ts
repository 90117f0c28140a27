/** Says a move that was played, and the result if it ended the game, with the sound of it. */
import { m } from '$messages';
import type { GameId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { outcomeWords, sideName } from '$lib/i18n/words';
import type { Side, State } from '$lib/rules/protocol';
import { play as playSound } from '$lib/sound/sound';

export function announceMove(
  game: GameId,
  { side, move, state }: { side: Side | undefined; move: string; state: State },
  hasCaptured: boolean,
): void {
  const words: string[] = [m.announce_move({ side: side ? sideName(game)(side) : '', move })];
  if (state.outcome) words.push(outcomeWords(game, state.outcome));
  announce(words.join(' '));
  playSound(state.outcome ? 'end' : hasCaptured ? 'capture' : 'move');
}
