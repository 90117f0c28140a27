/** Short sounds of wood and stone, made on the spot: nothing to load. */
import { settings } from '$lib/settings/settings.svelte';

export type Sound = 'move' | 'capture' | 'refuse' | 'end';

let context: AudioContext | undefined;
/** Whether somebody is about to make `context`, and what is to be heard then. */
let waiting: { sound: Sound | undefined } | undefined;

/** Pitch, length and loudness of the knocks of each sound. */
const KNOCKS: Record<Sound, [pitch: number, at: number, loudness: number][]> = {
  move: [[340, 0, 0.35]],
  capture: [
    [300, 0, 0.35],
    [210, 0.07, 0.3],
  ],
  refuse: [[130, 0, 0.2]],
  end: [
    [330, 0, 0.3],
    [415, 0.14, 0.3],
    [495, 0.28, 0.35],
  ],
};

/**
 * Makes ready for sounds when there is nothing else to do: it takes so long on some machines that a
 * move would be seen to stutter. Browsers allow it only after somebody has touched the page.
 */
function prepare(sound?: Sound): void {
  if (context !== undefined || typeof AudioContext !== 'function') return;
  if (waiting !== undefined) {
    waiting.sound = sound ?? waiting.sound;
    return;
  }
  waiting = { sound };
  const whenIdle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 300));
  whenIdle(
    () => {
      try {
        context = new AudioContext();
      } catch {
        // A device without sound is no reason to stop a game.
      }
      const missed = waiting?.sound;
      waiting = undefined;
      if (missed !== undefined && context !== undefined) play(missed);
    },
    { timeout: 1000 },
  );
}

/** Gets ready with the first touch or key. */
export function listenForHands(): void {
  for (const name of ['pointerdown', 'keydown'] as const) {
    addEventListener(name, () => settings.sound && prepare(), { once: true, passive: true });
  }
}

export function play(sound: Sound): void {
  if (!settings.sound) return;
  if (context === undefined) {
    prepare(sound);
    return;
  }
  try {
    if (context.state !== 'running') void context.resume();
    for (const [pitch, at, loudness] of KNOCKS[sound]) knock(context, pitch, at, loudness);
  } catch {
    // A device without sound is no reason to stop a game.
  }
}

function knock(audio: AudioContext, pitch: number, at: number, loudness: number): void {
  const begin = audio.currentTime + at;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.setValueAtTime(pitch * 2.2, begin);
  oscillator.frequency.exponentialRampToValueAtTime(pitch, begin + 0.03);
  gain.gain.setValueAtTime(loudness, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + 0.16);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(begin + 0.18);
}
