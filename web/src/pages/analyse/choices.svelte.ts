/** How people like their analysis board; kept in the browser. */
import { readJson, writeJson } from '$lib/store/storage';
import { MAX_LINES } from './lines.svelte';

const KEY = 'stoa.analysis-settings';

function load() {
  const kept: Record<string, unknown> = { ...(readJson(KEY) as object | undefined) };
  const lines = kept['lines'];
  return {
    engine: kept['engine'] !== false,
    exact: kept['exact'] !== false,
    arrows: kept['arrows'] !== false,
    explorer: kept['explorer'] === true,
    lines:
      typeof lines === 'number' && Number.isInteger(lines) && lines >= 1 && lines <= MAX_LINES
        ? lines
        : 3,
  };
}

export const choices = $state(load());

export function choose<Name extends keyof typeof choices>(
  name: Name,
  value: (typeof choices)[Name],
): void {
  choices[name] = value;
  writeJson(KEY, $state.snapshot(choices));
}
