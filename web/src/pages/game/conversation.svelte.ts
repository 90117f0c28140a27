/** What is said in a game, as far as this person may read it. */
import { mute, report, say, talk, unmute } from '$lib/online/api';
import { connection } from '$lib/online/connection.svelte';
import type { Phrase, ServerMessage, Talk, TalkMessage } from '$lib/online/wire';
import { readTalk, talkReadUntil } from './talk-read';

export class Conversation {
  talk = $state.raw<Talk | undefined>();
  /** How much was said by others since it was last looked at. */
  unread = $state(0);
  private seen = false;
  private readonly leave: () => void;

  constructor(readonly game: string) {
    this.leave = connection().listen((message) => this.hear(message));
    void this.load().catch(() => undefined);
  }

  close(): void {
    this.leave();
  }

  /** Whether it is being looked at. */
  set isOpen(open: boolean) {
    this.seen = open;
    this.count();
  }

  get messages(): readonly TalkMessage[] {
    return this.talk?.messages ?? [];
  }

  isMuted(player: string): boolean {
    return this.talk?.muted.includes(player) ?? false;
  }

  isBlocked(player: string): boolean {
    return this.talk?.blocked.includes(player) ?? false;
  }

  async say(words: { phrase: Phrase } | { text: string }): Promise<void> {
    this.add(await say(this.game, words));
  }

  async setMuted(player: string, muted: boolean): Promise<void> {
    await (muted ? mute(player) : unmute(player));
    await this.load();
  }

  async report(about: { message: string } | { player: string }, reason: string): Promise<void> {
    await report({ ...about, ...('player' in about ? { game: this.game } : {}), reason });
  }

  private async load(): Promise<void> {
    this.talk = await talk(this.game);
    this.count();
  }

  /** What is looked at is read, now and after a reload. */
  private count(): void {
    const last = this.messages.at(-1);
    if (this.seen && last) readTalk(this.game, last.at);
    const until = talkReadUntil(this.game);
    const own = connection().player?.id;
    this.unread = this.messages.filter(({ at, by }) => at > until && by.id !== own).length;
  }

  private hear(message: ServerMessage): void {
    // After a gap something may have been missed.
    if (message.t === 'hello') void this.load().catch(() => undefined);
    if (message.t === 'said' && message.game === this.game) this.add(message.message);
  }

  private add(message: TalkMessage): void {
    const { talk } = this;
    if (!talk || talk.room !== message.room) return;
    const by = message.by.id;
    if (this.isMuted(by) || this.isBlocked(by)) return;
    if (talk.messages.some(({ id }) => id === message.id)) return;
    this.talk = { ...talk, messages: [...talk.messages, message] };
    this.count();
  }
}
