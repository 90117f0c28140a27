import { expect, type Page, test } from '@playwright/test';
import { wholeBrowser } from './browsers';
import { Host } from './host';

test.use({ serviceWorkers: 'allow', launchOptions: wholeBrowser });

let host: Host;
test.beforeEach(async () => {
  host = await Host.open();
});
test.afterEach(() => host.close());

/** What a push service would hand to the browser. */
async function push(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === host.address);
      if (ours) resolve(ours.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const { origin } = new URL(host.address);
  const registrationId = await registration;
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    const registration = await navigator.serviceWorker.getRegistration();
    const all = (await registration?.getNotifications()) ?? [];
    return active ? all.map(({ title, body, tag }) => ({ title, body, tag })) : [];
  });

test('notifications from the server are shown when nobody looks, and lead to the game', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await page.goto(host.address);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const notification = { title: 'Your move', body: 'Impasse against Zeno', address: '#/game/abc' };
  // A person who looks at the page is not notified a second time.
  await push(page, JSON.stringify(notification));
  await page.waitForTimeout(300);
  expect(await shown(page)).toEqual([]);

  const other = await context.newPage();
  await page.goto('about:blank');
  await push(other, JSON.stringify(notification));
  await push(other, 'not what was expected');
  await page.waitForTimeout(300);
  await page.goto(`${host.address}#/rules`);
  await expect
    .poll(() => shown(page))
    .toEqual([
      { title: 'Your move', body: 'Impasse against Zeno', tag: '#/game/abc' },
      { title: 'Stoa', body: '', tag: '#/online' },
    ]);
  // A click comes from outside of the page, so it is made where it arrives.
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScope;
    const [notification] = await scope.registration.getNotifications({ tag: '#/game/abc' });
    if (!notification) throw new Error('there is none');
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  });
  await expect(page).toHaveURL(`${host.address}#/game/abc`);
  expect((await shown(page)).map(({ tag }) => tag)).toEqual(['#/online']);
});
