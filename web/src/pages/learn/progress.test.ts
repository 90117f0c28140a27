import { describe, expect, it } from 'vitest';
import type { Lesson, LessonStep } from './lesson';
import { nextStep, readDone } from './progress';

const step = (id: string) => ({ id }) as LessonStep;
const lesson: Lesson = {
  game: 'impasse',
  owners: {},
  steps: [step('a'), step('b')],
  exercises: [step('c')],
};

describe('progress', () => {
  it('goes on with the first step that is not done', () => {
    expect(nextStep(lesson, new Set())?.id).toBe('a');
    expect(nextStep(lesson, new Set(['a', 'c']))?.id).toBe('b');
    expect(nextStep(lesson, new Set(['a', 'b', 'c']))).toBeUndefined();
  });
  it('takes what is damaged or foreign as nothing done', () => {
    for (const kept of [undefined, 7, 'x', {}, { version: 2, done: ['a'] }, { version: 1 }]) {
      expect(readDone(kept).size).toBe(0);
    }
    expect([...readDone({ version: 1, done: ['a', 5, null, 'b'] })]).toEqual(['a', 'b']);
  });
});
