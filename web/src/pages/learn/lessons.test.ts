import { GAME_IDS, GAMES, plainId } from '$games/index';
import { describe, expect, it } from 'vitest';
import { type Played, type State } from '$lib/rules/protocol';
import { ask, contentsOf } from '../rules/testing';
import { reached } from './goal';
import { allSteps, END, type Lesson, type LessonStep, type Turn } from './lesson';

const lessons = await Promise.all(
  GAME_IDS.map(async (id) => (await GAMES[id].loadLesson()).lesson),
);

/** Every legal move of a position, played. */
function everyMove({ game, position }: State): Played[] {
  return ask('moves', { game, position }).map((move) => ask('play', { game, position, move }));
}

/** Goes through a step with its first good moves; returns what was seen in each turn. */
function walk(
  step: LessonStep,
  owners: Lesson['owners'],
): { turn: Turn; state: State; good: Played[]; bad: Played[] }[] {
  let state = ask('state', { game: step.game, position: step.position });
  return step.turns.map((turn) => {
    const moves = everyMove(state);
    const before = state;
    const good = moves.filter((played) => reached(turn.goal, owners, before, played));
    const bad = moves.filter((played) => !good.includes(played));
    if (turn.reply !== undefined) {
      // The scripted reply must be legal after every good move.
      for (const { state: after } of good) {
        const question = { game: after.game, position: after.position, move: turn.reply };
        state = ask('play', question).state;
      }
    }
    return { turn, state: before, good, bad };
  });
}

describe.each(lessons)('the lesson of $game', async (lesson) => {
  const { clauses, rulings, figures } = contentsOf((await GAMES[lesson.game].loadSheet()).sheet);
  const steps = allSteps(lesson);

  it('teaches every clause, ruling and figure, and nothing else', () => {
    const known = [...clauses, ...rulings, ...figures].sort();
    expect([...new Set(lesson.steps.flatMap((step) => step.covers))].sort()).toEqual(known);
    expect(known).toEqual(expect.arrayContaining(lesson.exercises.flatMap((one) => one.covers)));
  });

  it('has about ten steps, three exercises, and a name for each', () => {
    expect(lesson.steps.length).toBeGreaterThanOrEqual(10);
    expect(lesson.steps.length).toBeLessThanOrEqual(13);
    expect(lesson.exercises).toHaveLength(3);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(GAMES[lesson.game].lessonSteps);
    expect(steps.map(({ id }) => id)).not.toContain(END);
    expect(steps.every(({ game }) => plainId(game) === lesson.game)).toBe(true);
  });

  it.each(steps)('$id can be done, and only as it says', (step) => {
    const { game, position } = step;
    expect(ask('state', { game, position }).position, 'canonical text').toBe(position);
    const turns = walk(step, lesson.owners);
    for (const { turn, state, good } of turns) {
      expect(state.outcome).toBeNull();
      expect(good.length).toBeGreaterThan(0);
      const { moves, ...effect } = turn.goal;
      if (moves === undefined) continue;
      // Every accepted move is legal and has the effect.
      expect(good.map(({ move }) => move).sort()).toEqual([...moves].sort());
      // What has the same effect is accepted too, where an outcome or a position is asked for.
      if (effect.outcome === undefined && effect.on === undefined) continue;
      const alike = everyMove(state).filter((played) =>
        reached(effect, lesson.owners, state, played),
      );
      expect(alike.map(({ move }) => move).sort()).toEqual([...moves].sort());
    }
    const canMiss = turns.some(({ bad }) => bad.length > 0);
    expect(step.other !== undefined, 'a reply to other moves where there are any').toBe(canMiss);
  });

  it.each(steps)('$id has all its words', (step) => {
    for (const words of [step.title, step.idea, step.task, step.done, step.other ?? step.done]) {
      expect(words().length).toBeGreaterThan(3);
      expect(words().split('`').length % 2).toBe(1);
    }
    expect(step.idea().length, 'one idea, not a treatise').toBeLessThan(420);
  });
});
