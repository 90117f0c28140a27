/**
 * Keeps the page in the browser, for use without a network. The service worker holds one version
 * as a whole; a new one is loaded in the background, waits, and takes over when the person says so
 * or when the page is opened next time after all its tabs were closed.
 */
import { go } from '$lib/router.svelte';

export const offline = $state({ newVersion: false });

/** A page that stays open looks for new versions this often, in milliseconds. */
const LOOK_AGAIN = 60 * 60 * 1000;

let waiting: ServiceWorker | null = null;

/** To be called once, when the page is shown. */
export function keepOffline(): void {
  // There is none on plain http from other machines, and none while developing.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers === undefined || !import.meta.env.PROD) return;
  let controlled = workers.controller !== null;
  workers.addEventListener('controllerchange', () => {
    // Another version has taken over, here or from another tab: parts of two would not fit together.
    if (controlled) location.reload();
    controlled = true;
  });
  workers.addEventListener('message', ({ data }: MessageEvent<{ go?: unknown } | null>) => {
    // A notification was clicked.
    if (typeof data?.go === 'string' && data.go.startsWith('#/')) go(data.go);
  });
  workers
    .register(new URL('service-worker.js', document.baseURI))
    .then(watch)
    .catch(() => {
      // A browser that does not keep the page can still show it.
    });
}

export function useNewVersion(): void {
  waiting?.postMessage('take over');
}

function watch(registration: ServiceWorkerRegistration): void {
  const look = () => {
    // At the very first visit there is nothing older to be replaced.
    if (registration.waiting === null || registration.active === null) return;
    waiting = registration.waiting;
    offline.newVersion = true;
  };
  const follow = () => registration.installing?.addEventListener('statechange', look);
  // The browser looks for a new version by itself, and may have begun before this runs.
  look();
  follow();
  registration.addEventListener('updatefound', follow);
  setInterval(() => {
    registration.update().catch(() => undefined);
  }, LOOK_AGAIN);
}
