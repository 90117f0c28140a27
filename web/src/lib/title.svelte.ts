/** What the tab is called: a page may say more than its own name. */
export const pageTitle = $state({ text: '' });

/** Names the tab as long as the component is there; called while it is set up. */
export function useTitle(words: () => string | undefined): void {
  $effect(() => {
    pageTitle.text = words() ?? '';
    return () => (pageTitle.text = '');
  });
}
