/** Short sounds of wood and stone, made on the spot: nothing to load. */
import { settings } from '$lib/settings/settings.svelte';

export type Sound = 'move' | 'capture' | 'refuse' | 'end';

let context: AudioContext | undefined;

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

export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext !== 'function') return;
  try {
    context ??= new AudioContext();
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
