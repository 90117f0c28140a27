/** The course of a rating as a drawing: places of points, and lines between them. */
import type { RatingPoint } from '$lib/online/wire';

/** How wide it is where there is room, and at least. */
const WIDTH = 640;
const MIN_WIDTH = 300;
export const HEIGHT = 220;
const LEFT = 44;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 28;

export interface Place {
  x: number;
  y: number;
  /** Where the band of certainty begins and ends. */
  above: number;
  below: number;
  point: RatingPoint;
}

export interface Course {
  width: number;
  places: Place[];
  line: string;
  band: string;
  /** Ratings with a line across, and where it is. */
  levels: { value: number; y: number }[];
}

/** A course from points, the latest first, for so much room. */
export function courseOf(points: readonly RatingPoint[], room = WIDTH): Course {
  const width = Math.min(WIDTH, Math.max(MIN_WIDTH, room));
  const ordered = [...points].reverse();
  const first = ordered[0]?.at ?? 0;
  const span = (ordered.at(-1)?.at ?? 0) - first;
  const lowest = Math.min(...ordered.map(({ value }) => value));
  const highest = Math.max(...ordered.map(({ value }) => value));
  const step = stepFor(highest - lowest);
  // Somebody with one game has a line to stand on, too.
  const bottom = Math.floor((lowest - step / 4) / step) * step;
  const top = Math.max(Math.ceil((highest + step / 4) / step) * step, bottom + 2 * step);
  const yOf = (value: number) => {
    const share = (Math.min(top, Math.max(bottom, value)) - bottom) / (top - bottom);
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  };
  const places = ordered.map((point): Place => {
    const share = span === 0 ? 0.5 : (point.at - first) / span;
    const { value, deviation } = point;
    return {
      x: LEFT + share * (width - LEFT - RIGHT),
      y: yOf(value),
      above: yOf(value + deviation),
      below: yOf(value - deviation),
      point,
    };
  });
  const levels = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => {
    const value = bottom + index * step;
    return { value, y: yOf(value) };
  });
  return { width, places, line: path(places, ({ y }) => y), band: bandOf(places), levels };
}

/** Lines at round numbers, and about five of them. */
function stepFor(range: number): number {
  return [25, 50, 100, 200, 500].find((step) => range / step <= 5) ?? 1000;
}

const number = (value: number) => value.toFixed(1);
const path = (places: readonly Place[], yOf: (place: Place) => number) =>
  places
    .map((place, at) => `${at === 0 ? 'M' : 'L'}${number(place.x)} ${number(yOf(place))}`)
    .join('');

function bandOf(places: readonly Place[]): string {
  if (places.length < 2) return '';
  const back = [...places].reverse().map(({ x, below }) => `L${number(x)} ${number(below)}`);
  return `${path(places, ({ above }) => above)}${back.join('')}Z`;
}

/** So many places at most, spread evenly, with the last one: enough to point at. */
export function sampled(places: readonly Place[], most: number): Place[] {
  if (places.length <= most) return [...places];
  const share = (places.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => places[Math.round(at * share)] as Place);
}
