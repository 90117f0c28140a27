import { expect, test } from '@playwright/test';
import { accept, everybodyLeaves, invite, person, playToTheEnd } from './people';
import { TWO_NODES, TwoNodes } from './server';

test.skip(TWO_NODES === undefined, 'TWO_NODES does not name the program that starts two nodes');

let service: TwoNodes;
test.beforeAll(async () => {
  service = await TwoNodes.start();
});
test.afterEach(everybodyLeaves);
test.afterAll(() => service.stop());

test('two people with phones play a whole game, each at a node of their own', async ({
  browser,
}) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const anna = await person(browser, 'Anna', phone);
  const bruno = await person(browser, 'Bruno', phone);
  const [first, second] = service.nodes;
  const link = await invite(anna, first, 'colonnade', '5 min + 5 s');
  await accept(bruno, link.replace(first.address, second.address));
  for (const { page } of [anna, bruno]) await expect(page.getByRole('grid')).toBeVisible();
  expect(new URL(anna.page.url()).host).not.toBe(new URL(bruno.page.url()).host);
  for (const { page } of [anna, bruno]) {
    await expect(page.getByRole('img', { name: 'At the board' })).toBeVisible();
  }

  await playToTheEnd(anna, bruno);

  // The other node shows, too, that a player has left.
  await bruno.leave();
  await expect(anna.page.getByRole('img', { name: 'Not at the board right now' })).toBeVisible();
  expect([...anna.problems, ...bruno.problems]).toEqual([]);
});
