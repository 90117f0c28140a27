/** Something that is asked of the server with a button: whether it is under way, and what came of it. */
import { announce } from '$lib/announce.svelte';
import { keepFocus } from '$lib/focus';
import { ServerRefused } from '$lib/online/http';
import { errorWords } from '$lib/online/words';

/** Words for refusals that only one part of the page knows of, by their codes. */
export type Refusals = Readonly<Record<string, () => string>>;

export class Attempt {
  busy = $state(false);
  refused = $state('');
  done = $state('');

  constructor(private readonly words: Refusals = {}) {}

  /** Does it; `done` is said if it worked. Tells whether it did. The button keeps the focus. */
  async run(act: () => Promise<unknown>, done = ''): Promise<boolean> {
    return this.busy ? false : keepFocus(() => this.attempt(act, done));
  }

  private async attempt(act: () => Promise<unknown>, done: string): Promise<boolean> {
    [this.busy, this.refused, this.done] = [true, '', ''];
    try {
      await act();
      this.done = done;
      if (done !== '') announce(done);
      return true;
    } catch (error) {
      const known = error instanceof ServerRefused ? this.words[error.code] : undefined;
      this.refused = known?.() ?? errorWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
