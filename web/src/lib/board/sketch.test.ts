import { describe, expect, it } from 'vitest';
import { inkOf, type Sketch, toggled } from './sketch';

const at = (cell: number) => ({ cell, level: 0 });
const arrow: Sketch = { from: at(1), to: at(2), ink: 'green' };
const keys = { shiftKey: false, ctrlKey: false, altKey: false };

describe('sketches', () => {
  it('are drawn once and taken away the second time', () => {
    expect(toggled([], arrow)).toEqual([arrow]);
    expect(toggled([arrow], { ...arrow })).toEqual([]);
    expect(toggled([arrow], { ...arrow, to: at(1) })).toHaveLength(2);
  });
  it('change their ink', () => {
    expect(toggled([arrow], { ...arrow, ink: 'red' })).toEqual([{ ...arrow, ink: 'red' }]);
  });
  it('have the ink of the keys that are held', () => {
    expect(inkOf(keys)).toBe('green');
    expect(inkOf({ ...keys, shiftKey: true })).toBe('red');
    expect(inkOf({ ...keys, altKey: true })).toBe('blue');
    expect(inkOf({ ...keys, ctrlKey: true, altKey: true })).toBe('yellow');
  });
});
