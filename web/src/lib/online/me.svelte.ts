/** Who is at this browser, as the server knows them. */
import { askMe, type Identity, rename } from './api';
import { setPlaysOnline } from './attention.svelte';
import { connection } from './connection.svelte';
import type { Player } from './wire';

export const me = $state<{ known: boolean } & Identity>({
  known: false,
  player: null,
  login: null,
});

function learn({ player, login }: Identity): void {
  me.known = true;
  me.player = player;
  me.login = login;
  setPlaysOnline(player !== null);
}

/** Asks the server who we are. Fails as `http.ts` says. */
export async function learnMe(): Promise<void> {
  learn(await askMe());
}

/** We are somebody else now: signed in, signed out, or new here. */
export async function becomeOther(): Promise<void> {
  await learnMe();
  connection().renew();
}

export async function takeName(name: string): Promise<Player> {
  const isNew = me.player === null;
  const player = await rename(name);
  if (isNew) await becomeOther();
  else me.player = player;
  return player;
}

/** Whether somebody is being asked for a name; `answer` hears whether they gave one. */
export const naming = $state<{ answer: ((given: boolean) => void) | null }>({ answer: null });

/** Asks for a name if there is none yet; returns whether there is one now. */
export async function needName(): Promise<boolean> {
  if (me.player !== null) return true;
  return new Promise((resolve) => {
    naming.answer = (given) => {
      naming.answer = null;
      resolve(given);
    };
  });
}

/** People of the first stoa and its neighbours, for those who do not want to think of a name. */
const NAMESAKES = [
  'Zeno',
  'Cleanthes',
  'Chrysippus',
  'Panaetius',
  'Posidonius',
  'Hipparchia',
  'Epictetus',
  'Seneca',
  'Porcia',
  'Musonius',
  'Hypatia',
  'Arete',
  'Aspasia',
  'Diotima',
];

export function friendlyName(): string {
  const pick = (count: number) => Math.floor(Math.random() * count);
  return `${NAMESAKES[pick(NAMESAKES.length)] ?? 'Zeno'} ${10 + pick(90)}`;
}
