/** Pages of something that only the server knows by name; `lib/theme/first-paint.ts` has the same list. */
const NAMED_BY_SERVER: readonly string[] = ['game', 'player'];
const sent = globalThis.document?.title ?? '';

/** What the server calls a page that was asked for, without the name of the app; empty if it says nothing. */
export const sentTitle = (page: string): string =>
  NAMED_BY_SERVER.includes(page) && sent.includes(' – ') ? sent.replace(/ – [^–]*$/, '') : '';

/** What the tab is called: a page may say more than its own name. */
export const pageTitle = $state({ text: '' });

/** Names the tab as long as the component is there; called while it is set up. */
export function useTitle(words: () => string | undefined): void {
  $effect(() => {
    pageTitle.text = words() ?? '';
    return () => (pageTitle.text = '');
  });
}
