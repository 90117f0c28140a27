import { expect, test } from '@playwright/test';

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
