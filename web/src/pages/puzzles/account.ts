/**
 * Solved puzzles of people with an account: the server is told of them, and tells other devices. What is
 * kept in the browser comes first; without a server, or without an account, it is all there is.
 */
import { GAME_IDS } from '$games/index';
import { forgetPuzzles, reportPuzzles, type SolvedPuzzle, solvedPuzzles } from '$lib/online/api';
import { playsOnline } from '$lib/online/attention.svelte';
import { learnMe, me } from '$lib/online/me.svelte';
import { readText, writeText } from '$lib/store/storage';
import { loadPuzzles, type Puzzle } from './data';
import { best, noProgress, type Progress } from './progress';

/** How many puzzles the server takes at a time. */
const MAX_REPORTED = 50;

/** To whose account the progress in this browser belongs, and what that account had when it was last asked. */
export interface Owner {
  player: string;
  known: string[];
}
const KEY = 'stoa.puzzles.owner';

function loadOwner(): Owner | undefined {
  try {
    const { player, known } = JSON.parse(readText(KEY) ?? '') as Record<string, unknown>;
    const isList = Array.isArray(known) && known.every((id) => typeof id === 'string');
    return typeof player === 'string' && isList ? { player, known } : undefined;
  } catch {
    return undefined;
  }
}

const saveOwner = (player: string, onServer: readonly SolvedPuzzle[]): boolean =>
  writeText(KEY, JSON.stringify({ player, known: onServer.map(({ puzzle }) => puzzle) }));

/** The player to whose account puzzles are counted; nothing without one. */
async function accountPlayer(): Promise<string | undefined> {
  if (!playsOnline()) return undefined;
  if (!me.known) await learnMe();
  return me.login === null ? undefined : me.player?.id;
}

/**
 * What of the progress in this browser is the account's: nothing if it belongs to another one, and without what
 * was forgotten on another device.
 */
export function ownProgress(
  progress: Progress,
  owner: Owner | undefined,
  player: string,
  onServer: readonly SolvedPuzzle[],
): Progress {
  if (owner === undefined) return progress;
  if (owner.player !== player) return noProgress();
  const there = new Set(onServer.map(({ puzzle }) => puzzle));
  const forgotten = new Set(owner.known.filter((id) => !there.has(id)));
  const kept = Object.entries(progress.solved).filter(([id]) => !forgotten.has(id));
  return { ...progress, solved: Object.fromEntries(kept) };
}

/** The progress together with what the server knows of. */
export function withServer(progress: Progress, onServer: readonly SolvedPuzzle[]): Progress {
  const elsewhere = onServer.map(({ puzzle, clean }) => [puzzle, clean ? 'clean' : 'helped']);
  return { ...progress, solved: best(progress.solved, Object.fromEntries(elsewhere)) };
}

/** What the server does not know of yet, or only as solved with help. */
export function unreported(progress: Progress, onServer: readonly SolvedPuzzle[]): string[] {
  const known = new Map(onServer.map(({ puzzle, clean }) => [puzzle, clean]));
  return Object.entries(progress.solved)
    .filter(([id, how]) => !known.has(id) || (how === 'clean' && known.get(id) === false))
    .map(([id]) => id);
}

/** The moves of a puzzle's solution, without the replies. */
const solutionOf = ({ turns }: Puzzle): string[] =>
  turns.flatMap(({ accepted }) => accepted.slice(0, 1));

/** Tells the server what was solved here, and learns what was solved elsewhere; nothing without an account. */
export async function syncProgress(progress: Progress): Promise<Progress | undefined> {
  const player = await accountPlayer();
  if (player === undefined) return undefined;
  let onServer = await solvedPuzzles();
  const own = ownProgress(progress, loadOwner(), player, onServer);
  const wanted = new Set(unreported(own, onServer));
  if (wanted.size > 0) {
    const all = (await Promise.all(GAME_IDS.map(loadPuzzles))).flat();
    // Puzzles that are no longer among them stay where they are.
    const found = all.filter(({ id }) => wanted.has(id));
    for (let at = 0; at < found.length; at += MAX_REPORTED) {
      const some = found.slice(at, at + MAX_REPORTED).map((puzzle) => ({
        puzzle: puzzle.id,
        moves: solutionOf(puzzle),
        clean: own.solved[puzzle.id] === 'clean',
      }));
      onServer = await reportPuzzles(some);
    }
  }
  saveOwner(player, onServer);
  return withServer(own, onServer);
}

/** Tells the server of a puzzle that was just solved. If that fails, the next visit does it. */
export async function reportSolved(id: string, moves: string[], clean: boolean): Promise<void> {
  const player = await accountPlayer();
  if (player === undefined) return;
  saveOwner(player, await reportPuzzles([{ puzzle: id, moves, clean }]));
}

/** Has the server forget, too. */
export async function forgetSolved(): Promise<void> {
  const player = await accountPlayer();
  if (player === undefined) return;
  await forgetPuzzles();
  saveOwner(player, []);
}
