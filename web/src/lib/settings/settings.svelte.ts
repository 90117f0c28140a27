/** What people like; kept in the browser. Damaged or foreign values count as not set. */
import { readJson, writeJson } from '$lib/store/storage';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  /** The colours of the boards. */
  board: 'marble' | 'timber' | 'slate';
  /** `safe` can be told apart by everyone, and its pieces have shapes. */
  palette: 'classic' | 'safe';
  /** Whether a move waits for a second touch: `auto` where targets are small for a finger. */
  confirm: 'auto' | 'always' | 'never';
  /** Whether the page warns of a move that loses at once, where that is fair. */
  warnings: boolean;
  animations: boolean;
  /** Whether what may be clicked is shown. */
  targets: boolean;
  sound: boolean;
  /** Whether the evaluation bar is shown while playing. */
  bar: boolean;
  /** Whether single letters are shortcuts; they may be in the way of those who speak to a computer. */
  keys: boolean;
}

const DEFAULTS: Settings = {
  theme: 'auto',
  board: 'marble',
  palette: 'classic',
  confirm: 'auto',
  warnings: true,
  animations: true,
  targets: true,
  sound: true,
  bar: false,
  keys: true,
};

/** The words that each setting may have. */
export const CHOICES = {
  theme: ['auto', 'light', 'dark'],
  board: ['marble', 'timber', 'slate'],
  palette: ['classic', 'safe'],
  confirm: ['auto', 'always', 'never'],
} as const;

const KEY = 'stoa.settings';

function load(): Settings {
  const loaded: Record<string, unknown> = { ...(readJson(KEY) as object | undefined) };
  const wanted = { ...DEFAULTS } as Record<string, unknown>;
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const value = loaded[name];
    const choices: readonly unknown[] | undefined = (CHOICES as Record<string, readonly string[]>)[
      name
    ];
    const fits = choices ? choices.includes(value) : typeof value === typeof usual;
    if (fits) wanted[name] = value;
  }
  return wanted as unknown as Settings;
}

export const settings = $state<Settings>(load());

/** Changes a setting and keeps it. */
export function set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
  settings[name] = value;
  writeJson(KEY, $state.snapshot(settings));
}
