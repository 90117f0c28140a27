import { describe, expect, it } from 'vitest';
import { stepsOf, type Turned } from './wheel';

const rest: Turned = { pixels: 0, at: 0 };
const turn = (deltaY: number, timeStamp: number, deltaMode = 0) => ({
  deltaY,
  timeStamp,
  deltaMode,
});

describe('the wheel', () => {
  it('makes a move with every notch', () => {
    expect(stepsOf(rest, turn(120, 1000)).steps).toBe(1);
    expect(stepsOf(rest, turn(-100, 1000)).steps).toBe(-1);
    expect(stepsOf(rest, turn(3, 1000, 1)).steps).toBe(1);
  });
  it('adds up what a touchpad sends', () => {
    let turned = rest;
    const steps = [25, 25, 25, 25].map((delta, i) => {
      const found = stepsOf(turned, turn(delta, 1000 + 16 * i));
      ({ turned } = found);
      return found.steps;
    });
    expect(steps).toEqual([0, 0, 1, 0]);
  });
  it('begins anew after a rest and in the other direction', () => {
    const first = stepsOf(rest, turn(50, 1000)).turned;
    expect(stepsOf(first, turn(20, 2000)).steps).toBe(0);
    expect(stepsOf(first, turn(-20, 1010)).turned.pixels).toBe(-20);
  });
});
