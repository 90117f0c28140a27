import { describe, expect, it } from 'vitest';
import { conditions, filtersOf, NO_FILTERS, questionOf, startOfDay } from './filters';

const read = (query: string) => filtersOf(new URLSearchParams(query));

describe('filters of the archive', () => {
  it('are in the address and come back from it', () => {
    const query = 'player=Zeno&game=palisade:9&result=won&from=2026-11-01&min=10';
    const filters = read(query);
    expect(new URLSearchParams(conditions(filters)).toString()).toBe(
      new URLSearchParams(query).toString(),
    );
    expect(filtersOf(new URLSearchParams(conditions(filters)))).toEqual(filters);
    expect(conditions(NO_FILTERS)).toEqual({});
  });
  it.each([
    'pace=slow',
    'result=maybe',
    'from=yesterday',
    'to=2026-02-31',
    'min=-1',
    'max=many',
    'minrating=strong',
    'ratingof=me',
  ])('leave out %s', (query) => expect(read(query)).toEqual(NO_FILTERS));
  it('ask the server for whole days', () => {
    const question = questionOf(read('from=2026-11-16&to=2026-11-16'));
    const [since, until] = [question.get('since'), question.get('until')].map(Number);
    expect(since).toBe(startOfDay('2026-11-16'));
    expect(until).toBe(startOfDay('2026-11-17'));
  });
  it('ask for a position only of a game, and for whose rating only with one', () => {
    const position = '9/9/9/9/9/9/9/9/b8 w';
    const link = 'p=9/9/9/9/9/9/9/9/b8_w';
    expect(questionOf(read(`game=palisade:9&${link}`)).get('position')).toBe(position);
    expect(questionOf(read(link)).toString()).toBe('');
    expect(conditions(read(link))).toEqual({ p: '9/9/9/9/9/9/9/9/b8_w' });
    expect(read(`p=${'9'.repeat(3000)}`).p.length).toBe(2000);
    expect(questionOf(read('ratingof=either')).toString()).toBe('');
    expect(questionOf(read('ratingof=either&minrating=1600')).toString()).toBe(
      'min_rating=1600&rating_of=either',
    );
  });
  it('ask for a victory only of somebody', () => {
    expect(questionOf(read('result=won')).toString()).toBe('');
    expect(questionOf(read('result=won&player=Zeno')).toString()).toBe('player=Zeno&result=won');
    expect(questionOf(read('result=draw')).toString()).toBe('result=draw');
  });
});
