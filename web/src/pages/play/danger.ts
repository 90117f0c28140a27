/** Whether a move loses at once, for a warning before it is played. */
import { engine } from '$lib/engine';
import { rules } from '$lib/rules';

export interface Danger {
  move: string;
  /** What the other player wins with; nothing if the move itself ends the game. */
  reply?: string;
}

/** Enough to see every answer, and over before anyone waits for it. */
const LOOK = { depth: 1, nodes: 20_000, time: 250 };
const LOOK_FURTHER = { depth: 2, nodes: 60_000, time: 400 };

/** What is wrong with a move that loses at once, unless every move does. */
export async function dangerOf(
  game: string,
  position: string,
  move: string,
): Promise<Danger | null> {
  const { state } = await rules('play', { game, position, move });
  const before = await rules('state', { game, position });
  let found: Danger | null = null;
  if (state.outcome) {
    const { winner } = state.outcome;
    if (winner !== null && winner !== before.side) found = { move };
  } else {
    const after = { game, position: state.position, limits: LOOK };
    const [best] = (await engine.ask('think', after)).lines;
    const reply = best?.moves[0];
    const wins = best?.score.proven === 'win' && (best.score.turns ?? Infinity) <= 1;
    if (wins && reply !== undefined) found = { move, reply };
  }
  if (found === null) return null;
  const [known] = (await engine.ask('think', { game, position, limits: LOOK_FURTHER })).lines;
  const isLost = known?.score.proven === 'loss' && (known.score.turns ?? Infinity) <= 2;
  return isLost ? null : found;
}
