/** Boards as pictures: SVG, PNG, and a game as an animation that plays anywhere. */
import { flushSync, mount, unmount } from 'svelte';
import { type GameId, loadLook, plainId } from '$games/index';
import { Board } from '$lib/board/board.svelte';
import BoardView from '$lib/board/Board.svelte';
import { boardPicture } from '$lib/board/picture';
import { rules } from '$lib/rules';
import type { View } from '$lib/rules/protocol';

const PNG_SIZE = 1200;
const FRAME_SIZE = 480;
const FRAME_MS = 900;
const LAST_FRAME_MS = 3000;
/** A few shades more are not seen, and cost as much as many moves. */
const COLOURS = 127;

/** A line of play to be drawn. */
export interface Drawn {
  /** The game with its options. */
  game: string;
  /** The texts of the positions, the first one first. */
  positions: readonly string[];
  turned: boolean;
}

/** Draws positions one after the other, where nobody sees it, and hands each over as SVG. */
async function draw(
  { game, positions, turned }: Drawn,
  take: (svg: string, index: number) => Promise<void>,
): Promise<void> {
  const id = plainId(game);
  if (id === undefined) throw new Error(game);
  const look = await loadLook(id);
  const place = document.createElement('div');
  place.dataset['game'] = id;
  place.inert = true;
  place.style.cssText =
    'position:fixed;inset-inline-start:-4000px;inset-block-start:0;inline-size:800px';
  document.body.append(place);
  let before: View | undefined;
  try {
    for (const [index, position] of positions.entries()) {
      const state = await rules('state', { game, position });
      const board = new Board({ look, rules });
      board.turn(turned);
      board.show(state);
      if (before) board.markLast(before);
      before = state.view;
      const view = mount(BoardView, { target: place, props: viewProps(board, id) });
      flushSync();
      const svg = place.querySelector<SVGSVGElement>('svg.board');
      const text = svg ? boardPicture(svg) : '';
      await unmount(view);
      await take(text, index);
    }
  } finally {
    place.remove();
  }
}

const viewProps = (board: Board, game: GameId) => ({ board, game, label: '', still: true });

async function toCanvas(svg: string, size: number): Promise<CanvasRenderingContext2D> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = size / Math.max(image.width, image.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('canvas');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context;
}

/** A picture of a position as SVG. */
export async function svgOf(drawn: Drawn): Promise<string> {
  let found = '';
  await draw({ ...drawn, positions: drawn.positions.slice(-1) }, async (svg) => {
    found = svg;
  });
  return found;
}

/** A picture as PNG. */
export async function pngOf(svg: string): Promise<Blob> {
  const { canvas } = await toCanvas(svg, PNG_SIZE);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('PNG'))), 'image/png');
  });
}

/** A game as an animated GIF; `told` is called with how much of it is done, from 0 to 1. */
export async function gifOf(
  drawn: Drawn,
  told: (part: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const { GIFEncoder, quantize, applyPalette } = await import('gifenc');
  const gif = GIFEncoder();
  const count = drawn.positions.length;
  let palette: number[][] | undefined;
  let last: Uint8Array | undefined;
  await draw(drawn, async (svg, index) => {
    signal.throwIfAborted();
    const { data, width, height } = await pixels(svg);
    const delay = index === count - 1 ? LAST_FRAME_MS : FRAME_MS;
    // One palette for all: what does not change then stays exactly as it is.
    palette ??= quantize(data, COLOURS);
    const shown = applyPalette(data, palette);
    const transparentIndex = palette.length;
    const frame = last ? difference(last, shown, transparentIndex) : shown;
    gif.writeFrame(frame, width, height, {
      delay,
      dispose: 1,
      repeat: 0,
      ...(last
        ? { transparent: true, transparentIndex }
        : { palette: [...palette, [255, 255, 255]] }),
    });
    last = shown;
    told((index + 1) / count);
  });
  gif.finish();
  return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
}

async function pixels(svg: string) {
  const context = await toCanvas(svg, FRAME_SIZE);
  return context.getImageData(0, 0, context.canvas.width, context.canvas.height);
}

/** What is different from the frame before; the rest shines through. */
export function difference(before: Uint8Array, after: Uint8Array, through: number): Uint8Array {
  return after.map((colour, i) => (colour === before[i] ? through : colour));
}
