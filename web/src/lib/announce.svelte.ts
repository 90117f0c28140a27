/** What is read out to those who listen: moves, results, refusals. */
import { untrack } from 'svelte';

export const announcement = $state({ text: '', count: 0 });

export function announce(text: string): void {
  // Effects may announce; they must not depend on what was announced before.
  untrack(() => {
    announcement.text = text;
    announcement.count += 1;
  });
}
