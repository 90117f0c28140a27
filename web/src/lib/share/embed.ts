/** Boards within other people's pages. */
import { pack, readable } from '$lib/links/links';
import { fullAddress, href } from '$lib/router.svelte';

/** The addresses of boards to embed. */
export const embedOf = {
  position: (game: string, position: string): string =>
    fullAddress(`${href('embed', [game])}?p=${readable(position)}`),
  game: async (record: string): Promise<string> =>
    fullAddress(href('embed', [], { g: await pack(record) })),
  puzzle: (game: string, id: string): string => fullAddress(href('embed', ['puzzle', game, id])),
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Room below the board for its buttons, in pixels. */
const BUTTONS = 64;
const WIDTH = 480;

/** What people put into their pages. */
export function embedCode(
  address: string,
  title: string,
  { width, height }: { width: number; height: number },
): string {
  const high = Math.round((WIDTH * height) / width) + BUTTONS;
  return (
    `<iframe src="${escaped(address)}" title="${escaped(title)}" width="${WIDTH}" ` +
    `height="${high}" style="border:0;max-width:100%" loading="lazy"></iframe>`
  );
}
