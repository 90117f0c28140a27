import { describe, expect, it } from 'vitest';
import { ownProgress, unreported, withServer } from './account';
import { noProgress, type Progress } from './progress';

const progress = (solved: Progress['solved']): Progress => ({ ...noProgress(), solved, streak: 3 });
const known = (puzzle: string, clean: boolean) => ({ puzzle, clean, at: 0 });

describe('solved puzzles of an account', () => {
  it('come together, and what was solved cleanly anywhere is clean', () => {
    const here = progress({ a: 'clean', b: 'helped', c: 'helped' });
    const both = withServer(here, [known('a', false), known('b', true), known('d', false)]);
    expect(both.solved).toEqual({ a: 'clean', b: 'clean', c: 'helped', d: 'helped' });
    expect(both.streak).toBe(3);
  });
  it('are those of the account, without what was forgotten elsewhere', () => {
    const here = progress({ a: 'clean', b: 'helped', c: 'clean' });
    expect(ownProgress(here, undefined, 'anna', [])).toEqual(here);
    const owner = { player: 'anna', known: ['a', 'b'] };
    expect(ownProgress(here, owner, 'anna', [known('b', false)]).solved).toEqual({
      b: 'helped',
      c: 'clean',
    });
    expect(ownProgress(here, owner, 'bruno', [])).toEqual(noProgress());
  });
  it('are told to the server once, and again only if they are clean by now', () => {
    const here = progress({ a: 'clean', b: 'helped', c: 'helped', d: 'clean' });
    expect(unreported(here, [known('a', false), known('b', true), known('c', false)])).toEqual([
      'a',
      'd',
    ]);
    expect(unreported(here, [])).toEqual(['a', 'b', 'c', 'd']);
    expect(unreported(noProgress(), [known('a', true)])).toEqual([]);
  });
});
