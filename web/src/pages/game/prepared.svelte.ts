/** One's own conditional moves in a game, as the server has them. */
import { announce } from '$lib/announce.svelte';
import { conditionalMoves, setConditionalMoves } from '$lib/online/api';
import { connection } from '$lib/online/connection.svelte';
import type { ConditionalMoves, ServerMessage } from '$lib/online/wire';
import { errorWords } from '$lib/online/words';

export class Prepared {
  lines = $state.raw<string[][]>([]);
  dropped = $state<ConditionalMoves['dropped']>(null);
  /** Why something was not done. */
  error = $state('');
  busy = $state(false);
  private readonly leave: () => void;

  constructor(
    private readonly game: string,
    private readonly dropWords: (reason: NonNullable<ConditionalMoves['dropped']>) => string,
  ) {
    this.leave = connection().listen((message) => this.hear(message));
    void this.load();
  }

  close(): void {
    this.leave();
  }

  /** Takes the place of what there is; an empty list also removes the notice. */
  async set(lines: string[][]): Promise<boolean> {
    this.busy = true;
    this.error = '';
    try {
      this.take(await setConditionalMoves(this.game, lines));
      return true;
    } catch (error) {
      this.error = errorWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  private async load(): Promise<void> {
    try {
      this.take(await conditionalMoves(this.game));
    } catch (error) {
      this.error = errorWords(error);
    }
  }

  private hear(message: ServerMessage): void {
    if (message.t === 'hello' && message.player !== null) void this.load();
    if (message.t !== 'conditional' || message.game !== this.game) return;
    this.take(message);
    if (message.dropped !== null) announce(this.dropWords(message.dropped));
  }

  private take({ lines, dropped }: ConditionalMoves): void {
    [this.lines, this.dropped] = [lines, dropped];
  }
}
