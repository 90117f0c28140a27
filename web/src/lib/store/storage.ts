/**
 * The browser's store, which may be full, switched off or filled by others. Reading and writing
 * never throw; writing returns whether it worked.
 */
import { storeTrouble } from './trouble.svelte';

export function readText(key: string): string | undefined {
  try {
    return globalThis.localStorage?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeText(key: string, text: string): boolean {
  try {
    globalThis.localStorage.setItem(key, text);
    return true;
  } catch {
    storeTrouble.seen = true;
    return false;
  }
}

/** Finds out whether anything can be kept at all. */
export function tryStore(): void {
  const key = 'stoa.try';
  if (writeText(key, 'written')) remove(key);
}

export function remove(key: string): void {
  try {
    globalThis.localStorage?.removeItem(key);
  } catch {
    // There is nothing to remove in a store that cannot be used.
  }
}

/** Every key that begins so. */
export function keys(prefix: string): string[] {
  try {
    const store = globalThis.localStorage;
    if (!store) return [];
    const all = Array.from({ length: store.length }, (_, i) => store.key(i) ?? '');
    return all.filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export function readJson(key: string): unknown {
  const text = readText(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const writeJson = (key: string, value: unknown): boolean =>
  writeText(key, JSON.stringify(value));
