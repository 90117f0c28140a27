/** Something that is asked of the server with a button: whether it is under way, and what came of it. */
import { announce } from '$lib/announce.svelte';
import { errorWords } from '$lib/online/words';

export class Attempt {
  busy = $state(false);
  refused = $state('');
  done = $state('');

  /** Does it; `done` is said if it worked. Tells whether it did. */
  async run(act: () => Promise<unknown>, done = ''): Promise<boolean> {
    if (this.busy) return false;
    [this.busy, this.refused, this.done] = [true, '', ''];
    try {
      await act();
      this.done = done;
      if (done !== '') announce(done);
      return true;
    } catch (error) {
      this.refused = errorWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
