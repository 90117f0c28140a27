import { expect, it } from 'vitest';
import { meantBy, spacingOf } from './touch';
import { plainLook, targetNamed, viewOf } from './testing';

const { targets } = plainLook.layout(viewOf(4));
const [a1, b1] = ['a1', 'b1'].map((name) => targetNamed(targets, name)) as [never, never];
const at = (target: { x: number; y: number }, dx: number) => ({ x: target.x + dx, y: target.y });

it('the spacing is the least distance of two targets', () => {
  expect(spacingOf(targets)).toBe(100);
  expect(spacingOf([])).toBe(Infinity);
});

it('a touch means what is possible under it or near it', () => {
  expect(meantBy(at(a1, 40), a1, [a1, b1], 80)).toBe(a1);
  expect(meantBy(at(a1, 40), a1, [b1], 80)).toBe(b1);
  expect(meantBy(at(a1, 40), a1, [b1], 50)).toBe(a1);
  expect(meantBy(at(a1, -40), undefined, [], 80)).toBeUndefined();
});
