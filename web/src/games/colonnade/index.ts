/** Colonnade, a row of columns. */
import { m } from '$messages';
import type { GameEntry } from '../game';
import { objections } from './objections';
import './tokens.css';

export const colonnade = {
  name: 'Colonnade',
  designer: 'Mark Steere',
  year: 2010,
  sides: [m.side_red, m.side_blue],
  recordSides: ['red', 'blue'],
  aim: m.game_colonnade_aim,
  board: m.game_colonnade_board,
  aspect: 880 / 520,
  scene: { game: 'colonnade', position: 'r/brb/rbrb/brbr/rbrb/brbr/rbr/b r' },
  isSolved: true,
  lessonSteps: 13,
  pieces: {
    checkers: (sides, sideName, level) => {
      const [bottom, height] = [sides[0], sides.length];
      if (level === undefined)
        return bottom ? m.cell_colonnade_one({ side: sideName(bottom) }) : '';
      const side = sides[level - 1];
      return side === undefined
        ? m.cell_colonnade_column({ height })
        : m.cell_colonnade_checker({ level, height, side: sideName(side) });
    },
  },
  roles: {},
  counted: {},
  reasons: {},
  counters: {},
  objections,
  loadLook: () => import('./look'),
  loadLesson: () => import('./lesson'),
  loadSheet: () => import('./sheet'),
  loadTerms: () => import('./terms'),
  loadReport: () => import('./report'),
} satisfies GameEntry;
