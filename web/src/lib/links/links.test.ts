import { describe, expect, it } from 'vitest';
import { parseRoute } from '$lib/router.svelte';
import { BrokenLink, pack, positionLink, positionOf, recordLink, unpack } from './links';

const RECORD = `game: colonnade\n\n{Grüße, “quoted” – 柱廊}\n1. 1b< 1g>?! {hm} (1... 2f<)\n`;

describe('links', () => {
  it('carry any text there and back', async () => {
    for (const text of [RECORD, '', 'x'.repeat(10_000)]) {
      const packed = await pack(text);
      expect(packed).toMatch(/^[\w-]+$/);
      expect(await unpack(packed)).toBe(text);
    }
  });

  it('are compact', async () => {
    const long = 'game: impasse\n\n' + '1. d2-b4 e7-g5\n'.repeat(60);
    expect((await pack(long)).length).toBeLessThan(long.length / 4);
    expect((await recordLink(RECORD)).length).toBeLessThan(2 * RECORD.length);
  });

  it('are refused when a letter is lost, changed or foreign', async () => {
    const packed = await pack(RECORD);
    const middle = Math.floor(packed.length / 2);
    const letter = packed[middle] === 'A' ? 'B' : 'A';
    const broken = [
      '',
      'z',
      'hello',
      packed.slice(0, -3),
      packed.slice(0, middle) + packed.slice(middle + 1),
      packed.slice(0, middle) + letter + packed.slice(middle + 1),
      `${packed}%`,
      'z' + '!'.repeat(20),
    ];
    for (const text of broken) await expect(unpack(text)).rejects.toThrow(BrokenLink);
  });

  it('are refused when they would fill the memory', async () => {
    const bomb = await pack('a'.repeat(2_000_000));
    await expect(unpack(bomb)).rejects.toThrow(BrokenLink);
  });

  it('have readable positions', () => {
    const position = 'b5,x6/x7/x7/x7/x7/x7/x7 a4 i5 b 12';
    const link = positionLink('columna:points', position);
    expect(link).toContain('b5,x6/x7/x7/x7/x7/x7/x7_a4_i5_b_12');
    const route = parseRoute(link);
    expect(route).toMatchObject({ page: 'analyse', parts: ['columna:points'] });
    expect(positionOf(route.query.get('p') ?? '')).toBe(position);
  });
});
