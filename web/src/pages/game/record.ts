/** A game from the server as a record, with which the other pages can go on. */
import type { GameView } from '$lib/online/wire';
import { knownGames, rules } from '$lib/rules';
import { plainId, type RecordDraft } from '$lib/rules/protocol';

/** Ends that are not on the board, so that the record has to tell them. */
const DECIDED = ['resigned', 'time', 'agreed', 'abandoned'] as const;

export async function recordOf(view: GameView): Promise<string> {
  const { games } = await knownGames();
  const sides = games.find(({ info }) => info.id === plainId(view.game))?.info.sides;
  const tags = (sides ?? []).map((side, i): [string, string] => [
    side.toLowerCase(),
    view.players[i === 0 ? 0 : 1].name,
  ]);
  const draft: RecordDraft = {
    game: view.game,
    tags: [...tags, ['date', new Date(view.created).toISOString().slice(0, 10)]],
    nodes: view.moves.map((move) => ({ move })),
  };
  const reason = DECIDED.find((one) => one === view.result?.reason);
  if (reason === undefined || view.result === null) return rules('write', draft);
  return rules('write', { ...draft, end: { winner: view.result.winner, reason } });
}
