/** Where an analysis comes from: a game, a position, a record, a link, or any text of these. */
import { GAME_IDS, plainId } from '$games/index';
import type { AskRules } from '$lib/rules';
import { type GameRecord, type RecordDraft, type RecordNode } from '$lib/rules/protocol';
import type { SavedGame } from '$lib/store/games';
import { Refused } from '$lib/worker/client';

/** What is to be analysed; all moves are known to be legal. */
export interface Source {
  /** The game with its options. */
  game: string;
  start: string;
  tags: [string, string][];
  comment: string;
  nodes: RecordNode[];
  /** An end that people decided, and the moves that were played before it. */
  end?: { end: NonNullable<RecordDraft['end']>; moves: string[] };
}

const plain = (game: string, start: string): Source => ({
  game,
  start,
  tags: [],
  comment: '',
  nodes: [],
});

/** The start of a game, or a position of it. */
export async function fromPosition(
  rules: AskRules,
  game: string,
  position?: string,
): Promise<Source> {
  const state = await rules('state', position === undefined ? { game } : { game, position });
  return plain(state.game, state.position);
}

export async function fromRecordText(rules: AskRules, text: string): Promise<Source> {
  return fromRecord(await rules('read', { record: text }));
}

function fromRecord(record: GameRecord): Source {
  const { game, start, comment, nodes, result } = record;
  const reason = result?.reason;
  const isDecided =
    reason === 'resigned' || reason === 'time' || reason === 'agreed' || reason === 'abandoned';
  return {
    game,
    start,
    tags: Object.entries(record.tags),
    comment,
    nodes,
    ...(result && isDecided
      ? { end: { end: { winner: result.winner, reason }, moves: nodes.map(({ move }) => move) } }
      : {}),
  };
}

/** The rules check what is typed: it becomes a record and is read again. */
export async function fromDraft(rules: AskRules, draft: RecordDraft): Promise<Source> {
  return fromRecordText(rules, await rules('write', draft));
}

export function fromSavedGame(rules: AskRules, saved: SavedGame): Promise<Source> {
  const { game, start, moves, outcome } = saved;
  return fromDraft(rules, {
    game,
    nodes: moves.map((move) => ({ move })),
    ...(start === undefined ? {} : { start }),
    ...(outcome?.reason === 'resigned'
      ? { end: { winner: outcome.winner, reason: 'resigned' as const } }
      : {}),
  });
}

/**
 * Any text: a record, a position of any game, or the bare moves of `game`. If it is none of them,
 * this fails with what is wrong with the likeliest.
 */
export async function fromText(rules: AskRules, text: string, game: string): Promise<Source> {
  if (/^\uFEFF?\s*[a-z0-9-]+:/.test(text)) return fromRecordText(rules, text);
  const position = text.trim();
  const others = GAME_IDS.filter((id) => id !== plainId(game));
  const failures: Refused[] = [];
  for (const candidate of [game, ...others]) {
    try {
      return await fromPosition(rules, candidate, position);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      failures.push(error);
    }
  }
  // One line of boards and fields is a position that is not right; anything else is moves.
  const readable = failures.find(({ failure }) => failure.kind === 'impossible');
  if (readable) throw readable;
  try {
    return await fromRecordText(rules, `game: ${game}\n\n${text}\n`);
  } catch (error) {
    const looksLikePosition = /^\S+\/\S+ /.test(position);
    throw looksLikePosition && failures[0] ? failures[0] : error;
  }
}
