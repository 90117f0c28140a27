/** The games of ours that are being played, and challenges to us; kept up to date by the socket. */
import { announce } from '$lib/announce.svelte';
import { router } from '$lib/router.svelte';
import { m } from '$messages';
import { myChallenges, myGames as askGames } from './api';
import { attention, call, setPlaysOnline, stopCalling } from './attention.svelte';
import { connection } from './connection.svelte';
import { NoServer } from './http';
import { learnMe, me } from './me.svelte';
import { notify } from './notify';
import type { Challenge, GameSummary, GameEvent, ServerMessage, Player } from './wire';
import { sideOf } from './wire';
import { playerName, variantName } from './words';

/** Those that wait for us first, the most urgent ahead; then the latest. */
export function inOrder(games: readonly GameSummary[], isMine: (game: GameSummary) => boolean) {
  const urgency = (game: GameSummary) => game.deadline ?? Infinity;
  return [...games].sort((a, b) => {
    const [mine, other] = [isMine(a), isMine(b)];
    if (mine !== other) return mine ? -1 : 1;
    if (mine && urgency(a) !== urgency(b)) return urgency(a) - urgency(b);
    return b.updated - a.updated;
  });
}

/** A list with one game in its new state; without it, if it has ended. */
export function withGame(games: readonly GameSummary[], game: GameSummary): GameSummary[] {
  const known = games.find(({ id }) => id === game.id);
  if (known && known.version > game.version) return [...games];
  const others = games.filter(({ id }) => id !== game.id);
  return game.result === null ? [game, ...others] : others;
}

/** The same for challenges, of which only open ones are of interest. */
export function withChallenge(list: readonly Challenge[], challenge: Challenge): Challenge[] {
  const others = list.filter(({ id }) => id !== challenge.id);
  return challenge.state === 'open' ? [challenge, ...others] : others;
}

/** Whether that is the page being shown. */
const isAt = (address: string): boolean => {
  const { page, parts } = router.route;
  return address === `#/${page}/${parts[0] ?? ''}`;
};

/** A toast waits this long: it is not needed if the person is about to go there anyway. */
const TOAST_DELAY_MS = 1500;

class MyGames {
  games = $state.raw<GameSummary[]>([]);
  challenges = $state.raw<Challenge[]>([]);
  /** Whether the lists have arrived. */
  known = $state(false);
  private following = false;
  private loading = false;
  /** What has arrived since the lists were asked for. */
  private meanwhile: GameSummary[] = [];

  /** Whether it is our turn. */
  readonly isWaiting = (game: GameSummary): boolean =>
    game.turn !== null && sideOf(game.players, me.player) === game.turn;

  /** Follows them from now on, as long as the page is open. */
  async follow(): Promise<void> {
    if (this.following) return;
    this.following = true;
    try {
      if (!me.known) await learnMe();
    } catch (error) {
      this.following = false;
      // The page has moved to a host of plain files: there is nothing to be asked for any more.
      if (error instanceof NoServer) setPlaysOnline(false);
      throw error;
    }
    const shared = connection();
    shared.listen((message) => this.hear(message));
    shared.hold();
    if (shared.state === 'open') await this.load();
  }

  private hear(message: ServerMessage): void {
    if (message.t === 'hello') void this.greet(message.player).catch(() => undefined);
    else if (message.t === 'yours') this.take(message.game, message.event);
    else if (message.t === 'challenged') this.takeChallenge(message.challenge);
  }

  private async greet(player: Player | null): Promise<void> {
    // Another tab may have signed in or out.
    if (player?.id !== me.player?.id) await learnMe();
    await this.load();
  }

  private async load(): Promise<void> {
    if (me.player === null) {
      [this.games, this.challenges, this.known] = [[], [], true];
    } else {
      [this.meanwhile, this.loading] = [[], true];
      const [{ games }, challenges] = await Promise.all([
        askGames('playing'),
        myChallenges(),
      ]).finally(() => (this.loading = false));
      // What arrived while the lists were on their way is newer than they are.
      this.games = this.meanwhile.reduce(withGame, games);
      this.challenges = challenges;
      this.known = true;
    }
    this.count();
  }

  private take(game: GameSummary, event: GameEvent | null): void {
    const before = this.games.find(({ id }) => id === game.id);
    this.games = withGame(this.games, game);
    if (this.loading) this.meanwhile.push(game);
    this.count();
    const turned = before === undefined || !this.isWaiting(before);
    if (before === undefined && event === null) this.tellBeginning(game);
    else if (this.isWaiting(game) && turned && event?.kind === 'moved') this.tellTurn(game);
  }

  private takeChallenge(challenge: Challenge): void {
    const isNew = !this.challenges.some(({ id }) => id === challenge.id);
    this.challenges = withChallenge(this.challenges, challenge);
    if (isNew && challenge.state === 'open' && challenge.opponent?.id === me.player?.id) {
      const words = m.online_challenged_you({ name: playerName(challenge.creator) });
      this.tell(m.challenge_title(), words, `#/challenge/${challenge.id}`);
    }
  }

  /** Somebody has accepted, perhaps while we were doing something else. */
  private tellBeginning(game: GameSummary): void {
    const words = m.online_began(this.about(game));
    this.tell(m.online_began_title(), words, `#/game/${game.id}`);
  }

  /** It is our turn in a game, as of now. */
  private tellTurn(game: GameSummary): void {
    call();
    const words = m.online_your_move_in(this.about(game));
    const address = `#/game/${game.id}`;
    if (!isAt(address)) announce(words);
    if (document.hidden) notify({ title: m.online_your_move(), body: words, address });
  }

  /** Says something that should not be missed: here, and to those who are not looking. */
  private tell(title: string, words: string, address: string): void {
    call();
    if (document.hidden) notify({ title, body: words, address });
    // The page itself takes the person there who has just asked for it.
    setTimeout(() => {
      if (isAt(address)) return;
      announce(words);
      attention.toast = { words, address };
    }, TOAST_DELAY_MS);
  }

  private about(game: GameSummary): { game: string; name: string } {
    const seat = sideOf(game.players, me.player);
    const opponent = game.players[seat === 'first' ? 1 : 0];
    return { game: variantName(game.game), name: playerName(opponent) };
  }

  private count(): void {
    attention.waiting = this.games.filter(this.isWaiting).length;
    if (attention.waiting === 0) stopCalling();
  }
}

export const myGames = new MyGames();
