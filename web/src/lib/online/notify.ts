/**
 * Notifications, of the page and of the server. The page can notify while it is open; with Web Push
 * the browser does so even when it is not, where the server offers it.
 */
import { locale } from '$lib/i18n/locale.svelte';
import { go } from '$lib/router.svelte';
import { readText, remove, writeText } from '$lib/store/storage';
import { pushKey, subscribePush, unsubscribePush } from './api';

const KEY = 'stoa.notify';

export const canNotify = (): boolean => typeof Notification === 'function';
export const notifies = (): boolean =>
  canNotify() && Notification.permission === 'granted' && readText(KEY) !== undefined;

/** Shows a notification if they are wanted. A click on it goes to the address within the page. */
export function notify(notification: { title: string; body: string; address: string }): void {
  if (!notifies()) return;
  void show(notification).catch(() => undefined);
}

async function show({ title, body, address }: { title: string; body: string; address: string }) {
  // One for each game: a later one replaces it.
  const options = { body, tag: address, icon: './icons/icon-192.png', data: { address } };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) {
    await registration.showNotification(title, options);
    return;
  }
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    go(address);
    notification.close();
  };
}

/** What came of switching notifications on. */
export type Switched = 'page' | 'push' | 'denied';

/** Asks the person, and then the server, for notifications. */
export async function switchOn(): Promise<Switched> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  writeText(KEY, 'yes');
  return (await subscribe()) ? 'push' : 'page';
}

export async function switchOff(): Promise<void> {
  remove(KEY);
  const subscription = await currentSubscription();
  if (!subscription) return;
  await unsubscribePush(subscription.endpoint).catch(() => undefined);
  await subscription.unsubscribe();
}

/** Whether the server notifies the browser even while the page is closed. */
export const isSubscribed = async (): Promise<boolean> => (await currentSubscription()) !== null;

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function subscribe(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.pushManager) return false;
  try {
    const key = await pushKey();
    if (key === undefined) return false;
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key,
    });
    const { endpoint, keys: { auth, p256dh } = {} } = subscription.toJSON();
    if (endpoint === undefined || auth === undefined || p256dh === undefined) return false;
    await subscribePush({ endpoint, keys: { auth, p256dh }, language: locale() });
    return true;
  } catch {
    // Without push there are still the notifications of the open page.
    return false;
  }
}
