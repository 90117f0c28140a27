import { expect, it } from 'vitest';
import { outline, type Part } from './outline';
import { fromRecord } from './tree';

const words = (parts: Part[]): string =>
  parts
    .map((part) =>
      part.kind === 'move'
        ? part.number + part.node.move
        : part.kind === 'comment'
          ? `{${part.text}}`
          : `(${words(part.parts)})`,
    )
    .join(' ');

it('is read like a printed game', () => {
  const tree = fromRecord(
    [
      { move: 'a' },
      {
        move: 'b',
        variations: [[{ move: 'x' }, { move: 'y', variations: [[{ move: 'z' }]] }]],
      },
      { move: 'c', comment: 'hm' },
      { move: 'd' },
    ],
    'begin',
  );
  expect(words(outline(tree))).toBe('{begin} 1.a b (1…x 2.y (2.z)) 2.c {hm} 2…d');
  expect(words(outline(fromRecord([{ move: 'a' }, { move: 'b' }]), true))).toBe('1…a 2.b');
});
