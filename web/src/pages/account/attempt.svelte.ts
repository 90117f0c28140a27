/** Something that is asked of the server with a button: whether it is under way, and what came of it. */
import { announce } from '$lib/announce.svelte';
import { keepFocus } from '$lib/focus';
import { ServerRefused } from '$lib/online/http';
import { errorWords } from '$lib/online/words';

/** Words for refusals that only one part of the page knows of, by their codes. */
export type Refusals = Readonly<Record<string, () => string>>;

/** Somebody did not want to sign in again. Nothing has gone wrong. */
class Cancelled extends Error {}

export class Attempt {
  busy = $state(false);
  refused = $state('');
  done = $state('');
  /** While somebody is asked to sign in again: hears whether they have. `SignInAgain.svelte` asks. */
  signedIn = $state.raw<((isIn: boolean) => void) | null>(null);

  constructor(private readonly words: Refusals = {}) {}

  /** Does it; `done` is said if it worked. Tells whether it did. The button keeps the focus. */
  async run(act: () => Promise<unknown>, done = ''): Promise<boolean> {
    return this.busy ? false : keepFocus(() => this.attempt(act, done));
  }

  /** The same for what needs a fresh session: if the server says so, it is done once somebody has signed in again. */
  async runFresh(act: () => Promise<unknown>, done = ''): Promise<boolean> {
    return this.run(() => this.signInAndRepeat(act), done);
  }

  private async signInAndRepeat(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.code !== 'sign_in_again') throw error;
    }
    const isIn = await new Promise<boolean>((resolve) => (this.signedIn = resolve));
    this.signedIn = null;
    if (!isIn) throw new Cancelled();
    await act();
  }

  private async attempt(act: () => Promise<unknown>, done: string): Promise<boolean> {
    [this.busy, this.refused, this.done] = [true, '', ''];
    try {
      await act();
      this.done = done;
      if (done !== '') announce(done);
      return true;
    } catch (error) {
      if (error instanceof Cancelled) return false;
      const known = error instanceof ServerRefused ? this.words[error.code] : undefined;
      this.refused = known?.() ?? errorWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
