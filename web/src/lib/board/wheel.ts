/** Through the moves with the wheel over the board, as on other boards. */
import type { Attachment } from 'svelte/attachments';

/** So many pixels of a wheel are a move; a notch of most mice is more. */
const STEP = 60;
/** Milliseconds after which a new turn of the wheel begins. */
const REST_MS = 250;

/** What the wheel has been turned so far. */
export interface Turned {
  pixels: number;
  at: number;
}

/** How many moves a turn of the wheel is, and what is left over. */
export function stepsOf(
  before: Turned,
  { deltaY, deltaMode, timeStamp }: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'timeStamp'>,
): { steps: number; turned: Turned } {
  // Some wheels tell lines or pages instead of pixels; one of them is a move.
  const delta = deltaMode === 0 ? deltaY : Math.sign(deltaY) * STEP;
  const goesOn = timeStamp - before.at < REST_MS && Math.sign(before.pixels) !== -Math.sign(delta);
  const pixels = (goesOn ? before.pixels : 0) + delta;
  const isNotch = Math.abs(delta) >= STEP;
  const steps = isNotch ? Math.sign(delta) : Math.trunc(pixels / STEP);
  return { steps, turned: { pixels: steps === 0 ? pixels : pixels % STEP, at: timeStamp } };
}

/** Calls `step` with 1 for a move forward and -1 for one back. */
export const wheelSteps =
  (step: (by: 1 | -1) => void): Attachment<HTMLElement> =>
  (element) => {
    let turned: Turned = { pixels: 0, at: 0 };
    const onwheel = (event: WheelEvent) => {
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (event.ctrlKey || event.metaKey || isSideways) return;
      event.preventDefault();
      const found = stepsOf(turned, event);
      ({ turned } = found);
      if (found.steps !== 0) step(found.steps > 0 ? 1 : -1);
    };
    element.addEventListener('wheel', onwheel, { passive: false });
    return () => element.removeEventListener('wheel', onwheel);
  };
