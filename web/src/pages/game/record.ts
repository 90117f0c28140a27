/** A game from the server as a record, which the other pages can open. */
import { GAMES, plainId } from '$games/index';
import type { GameView } from '$lib/online/wire';
import { rules } from '$lib/rules';
import { type RecordDraft } from '$lib/rules/protocol';

/** Ends that are not on the board, so that the record has to tell them. */
const DECIDED = ['resigned', 'time', 'agreed', 'abandoned'] as const;

export async function recordOf(view: GameView): Promise<string> {
  const game = plainId(view.game);
  const sides = game ? GAMES[game].recordSides : [];
  const tags = sides.map((side, i): [string, string] => [side, view.players[i === 0 ? 0 : 1].name]);
  const draft: RecordDraft = {
    game: view.game,
    tags: [...tags, ['date', new Date(view.created).toISOString().slice(0, 10)]],
    nodes: view.moves.map((move) => ({ move })),
  };
  const reason = DECIDED.find((one) => one === view.result?.reason);
  if (reason === undefined || view.result === null) return rules('write', draft);
  return rules('write', { ...draft, end: { winner: view.result.winner, reason } });
}
