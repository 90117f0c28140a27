import { expect, type Page, test } from '@playwright/test';

/** Positions with everything in them that a board can show. */
const POSITIONS: Record<string, [game: string, start: string]> = {
  colonnade: ['colonnade', 'r/brb/rbrb/brbr/rbrb/brbr/rbr/b r'],
  impasse: ['impasse', '1W1b1W1b/b1W3W1/8/6b1/1w6/8/1B3B1w/w1B1w1B1 w'],
  palisade: ['palisade:7', '2b4/1bwbw2/3wbw1/wb1b1bw/1wb1b2/2wbw1w/b2w3 b'],
  columna: ['columna', 'x7/x2,b1,w2,x3/x5,w1,x/b2,x,b4,x,w1,x2/x7/x2,w3,b1,x3/x4,b2,x2 a3 f1 b 0'],
  colossus: ['colossus', 't1wW/3ww/4w1/Bbbbbbt/6/1b3/B2t b 3 0 16'],
};

test.use({ viewport: { width: 420, height: 900 }, contextOptions: { reducedMotion: 'reduce' } });

for (const [name, [game, start]] of Object.entries(POSITIONS)) {
  for (const [board, palette] of [
    ['marble', 'classic'],
    ['slate', 'safe'],
  ] as const) {
    test(`${name} looks as it should, ${board}`, async ({ page }) => {
      const saved = {
        version: 1,
        id: 'seen',
        name,
        game,
        start,
        moves: [],
        players: [{ kind: 'person' }, { kind: 'person' }],
        seed: 1,
        created: 1,
        updated: 1,
      };
      await page.addInitScript(
        ([text, settings]) => {
          localStorage.setItem('stoa.game.seen', text);
          localStorage.setItem('stoa.settings', settings);
        },
        [JSON.stringify(saved), JSON.stringify({ board, palette, targets: false })] as const,
      );
      await page.goto('/#/play/g/seen');
      const drawing = page.locator('svg.board');
      await expect(page.locator('.hit.possible').first()).toBeAttached();
      // Coordinates are letters, which look different on every machine; the drawing does not.
      await page.addStyleTag({ content: '.coordinate { visibility: hidden }' });
      await expect(drawing).toHaveScreenshot(`${name}-${board}.png`, {
        maxDiffPixelRatio: 0.01,
        scale: 'css',
      });
    });
  }
}

/** The letters that are least clear on what is beneath them, as a ratio of contrast. */
async function leastContrast(page: Page): Promise<number> {
  const letters = page.locator('svg.board .coordinate');
  await expect(letters.first()).toBeAttached();
  const inks = await letters.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { fill: getComputedStyle(element).fill, x: x + width / 2, y: y + height / 2 };
    }),
  );
  await page.addStyleTag({ content: '.coordinate { visibility: hidden }' });
  const picture = (await page.screenshot({ scale: 'css' })).toString('base64');
  return page.evaluate(
    async ({ picture, inks }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (!canvas) throw new Error('no canvas');
      canvas.drawImage(image, 0, 0);
      const luminance = (colour: readonly number[]) => {
        const [red = 0, green = 0, blue = 0] = colour.map((part) => {
          const value = part / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ratios = inks.map(({ fill, x, y }) => {
        const ink = luminance((fill.match(/\d+/g) ?? []).slice(0, 3).map(Number));
        const ground = luminance([...canvas.getImageData(x, y, 1, 1).data].slice(0, 3));
        return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      });
      return Math.min(...ratios);
    },
    { picture, inks },
  );
}

for (const theme of ['light', 'dark']) {
  test(`letters beside the boards can be read, ${theme}`, async ({ page }) => {
    const found: Record<string, number> = {};
    for (const board of ['marble', 'timber', 'slate']) {
      await page.goto('/');
      await page.evaluate(
        (settings) => localStorage.setItem('stoa.settings', settings),
        JSON.stringify({ board, theme }),
      );
      for (const [name, [game]] of Object.entries(POSITIONS)) {
        await page.goto(`/?${board}#/embed/${game}`);
        found[`${name}, ${board}`] = await leastContrast(page);
      }
    }
    // What the guidelines ask for of large letters and of drawings.
    const unclear = Object.entries(found).filter(([, ratio]) => ratio < 3);
    expect(unclear).toEqual([]);
  });
}
