/**
 * Links that carry a position or a whole game in themselves. They are made of the part of the
 * address behind `#`, which no server ever sees.
 *
 * A position is readable: `#/analyse/impasse?p=…` with `_` for spaces. A record, with variations
 * and comments, is compressed: `#/analyse?g=…`. The compressed form has a checksum, so that a link
 * that lost its end or a letter is noticed.
 */
import { href } from '$lib/router.svelte';
import type { Side } from '$lib/rules/protocol';

/** The text of a link that cannot be read. */
export class BrokenLink extends Error {}

/** No record of any game comes near; more than that is an accident or an attack. */
const MAX_LENGTH = 1_000_000;

/** A position to look at: the address within the page. */
export const positionLink = (game: string, position: string): string =>
  `${href('analyse', [game])}?p=${readable(position)}`;

/** A position, possible or not, to continue setting up. */
export const editorLink = (game: string, setup: string): string =>
  `${href('analyse', ['edit', game])}?p=${readable(setup)}`;

/** A position to play on from. */
export const playLink = (game: string, position: string): string =>
  `${href('play', [game])}?p=${readable(position)}`;

export const readable = (position: string): string =>
  encodeURIComponent(position.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%2C', ',');

/** The position that a link carries, as it was written. */
export const positionOf = (text: string): string => text.replaceAll('_', ' ').trim();

export async function recordLink(record: string): Promise<string> {
  return href('analyse', [], { g: await pack(record) });
}

/** A game to be reviewed; `own` is the side whose mistakes may be tried again, if it is not both. */
export async function reviewLink(record: string, own?: Side): Promise<string> {
  return href('review', [], { g: await pack(record), ...(own === undefined ? {} : { own }) });
}

/** A text, compressed, in letters that addresses may have. */
export async function pack(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (typeof CompressionStream !== 'function') return `t${toLetters(bytes)}`;
  return `z${toLetters(await through(bytes, new CompressionStream('deflate')))}`;
}

/** The text of `pack`. Fails with `BrokenLink`. */
export async function unpack(packed: string): Promise<string> {
  try {
    const bytes = fromLetters(packed.slice(1));
    const read = new TextDecoder('utf-8', { fatal: true });
    if (packed.startsWith('t')) return read.decode(bytes);
    if (!packed.startsWith('z')) throw new BrokenLink('unknown form');
    return read.decode(await through(bytes, new DecompressionStream('deflate')));
  } catch (error) {
    throw error instanceof BrokenLink ? error : new BrokenLink(String(error));
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = stream.writable.getWriter();
  // The reader reports what is wrong with the bytes; here it would be reported twice.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > MAX_LENGTH) {
      await reader.cancel();
      throw new BrokenLink('too long');
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toLetters(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromLetters(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(text) || text.length > MAX_LENGTH) throw new BrokenLink('foreign letters');
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
