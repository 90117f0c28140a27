/**
 * Analyses kept in the browser, each under a key of its own. They are saved before the next
 * line runs, so nothing is lost when the page is closed; what cannot be read is never written over.
 */
import type { RecordDraft, RecordNode } from '$lib/rules/protocol';
import { keys, readText, remove, writeText } from '$lib/store/storage';

export interface KeptAnalysis {
  version: 1;
  id: string;
  name: string;
  /** The game with its options. */
  game: string;
  /** The first position. */
  start: string;
  tags: [string, string][];
  comment: string;
  nodes: RecordNode[];
  /** The moves that lead to the position being looked at. */
  at: string[];
  /** An end that people decided, and the moves of the main line that it belongs to. */
  end?: { end: NonNullable<RecordDraft['end']>; moves: string[] };
  /** How probable it was that the first player wins along a line. */
  curve?: { moves: string[]; values: number[] };
  /** Whether the board is seen from the other side. */
  turned?: boolean;
  updated: number;
}

const PREFIX = 'stoa.analysis.';
const keyOf = (id: string) => PREFIX + id;

export type Loaded = { analysis: KeptAnalysis } | { damaged: string } | { missing: true };

export function loadAnalysis(id: string): Loaded {
  const text = readText(keyOf(id));
  if (text === undefined) return { missing: true };
  const analysis = parseAnalysis(text);
  return analysis?.id === id ? { analysis } : { damaged: text };
}

/** Every analysis, the latest first, and the ids and texts of what cannot be read. */
export function listAnalyses(): {
  analyses: KeptAnalysis[];
  damaged: { id: string; text: string }[];
} {
  const analyses: KeptAnalysis[] = [];
  const damaged: { id: string; text: string }[] = [];
  for (const key of keys(PREFIX)) {
    const id = key.slice(PREFIX.length);
    const loaded = loadAnalysis(id);
    if ('analysis' in loaded) analyses.push(loaded.analysis);
    else if ('damaged' in loaded) damaged.push({ id, text: loaded.damaged });
  }
  analyses.sort((a, b) => b.updated - a.updated);
  return { analyses, damaged };
}

/** Whether a change of the store, made by another tab, is about an analysis. */
export const isAboutAnalysis = (event: StorageEvent, id: string): boolean =>
  event.storageArea === globalThis.localStorage && event.key === keyOf(id);

/** When what is kept was written, if it is there and can be read. */
export function lastKept(id: string): number | undefined {
  const loaded = loadAnalysis(id);
  return 'analysis' in loaded ? loaded.analysis.updated : undefined;
}

/** Keeps an analysis; returns whether it could be kept. A damaged one of the same id stays. */
export function saveAnalysis(analysis: KeptAnalysis): boolean {
  if ('damaged' in loadAnalysis(analysis.id)) return false;
  return writeText(keyOf(analysis.id), JSON.stringify(analysis));
}

export function deleteAnalysis(id: string): void {
  remove(keyOf(id));
}

/** The analysis of a text, if it is one of ours. Whether its moves are legal, the rules say. */
export function parseAnalysis(text: string): KeptAnalysis | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { version, id, name, game, start, comment, tags, nodes, at, updated, end, curve } = value;
  const fits =
    version === 1 &&
    [id, name, game, start, comment].every(isText) &&
    Array.isArray(tags) &&
    tags.every((tag) => Array.isArray(tag) && tag.length === 2 && tag.every(isText)) &&
    areNodes(nodes) &&
    areTexts(at) &&
    typeof updated === 'number' &&
    ['undefined', 'boolean'].includes(typeof value['turned']) &&
    (end === undefined || (isObject(end) && isObject(end['end']) && areTexts(end['moves']))) &&
    (curve === undefined || isCurve(curve));
  return fits ? (value as unknown as KeptAnalysis) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isCurve = (value: unknown): boolean =>
  isObject(value) &&
  areTexts(value['moves']) &&
  Array.isArray(value['values']) &&
  value['values'].every((one) => typeof one === 'number' && one >= 0 && one <= 1);

function areNodes(value: unknown): value is RecordNode[] {
  const isNode = (node: unknown): boolean =>
    isObject(node) &&
    isText(node['move']) &&
    (node['glyph'] === undefined || isText(node['glyph'])) &&
    (node['comment'] === undefined || isText(node['comment'])) &&
    (node['variations'] === undefined ||
      (Array.isArray(node['variations']) && node['variations'].every(areNodes)));
  return Array.isArray(value) && value.every(isNode);
}
