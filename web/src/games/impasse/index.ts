/** Impasse, checkers that slide forward as singles and back as doubles. */
import { m } from '$messages';
import net from '../../../../crates/engine/src/games/impasse/default.net?url';
import type { GameEntry } from '../game';
import { objections } from './objections';
import './tokens.css';

export const impasse = {
  name: 'Impasse',
  designer: 'Mark Steere',
  year: 2003,
  sides: [m.side_white, m.side_black],
  recordSides: ['white', 'black'],
  aim: m.game_impasse_aim,
  board: m.game_impasse_board,
  aspect: 1,
  scene: { game: 'impasse', position: '1W1b1W1b/2W3W1/8/6w1/1w5b/8/1B3B2/w1B1w1B1 w' },
  lessonSteps: 13,
  pieces: {
    single: (side, sideName) => m.cell_impasse_single({ side: sideName(side) }),
    double: (side, sideName) => m.cell_impasse_double({ side: sideName(side) }),
  },
  roles: {
    remove: m.role_impasse_remove,
    'crown-with': m.role_impasse_crown_with,
    crowned: m.role_impasse_crowned,
  },
  counted: {},
  reasons: { 'no-checkers': m.reason_impasse_no_checkers },
  counters: {},
  objections,
  net: () => net,
  loadBook: () => import('./book'),
  loadLook: () => import('./look'),
  loadLesson: () => import('./lesson'),
  loadSheet: () => import('./sheet'),
  loadTerms: () => import('./terms'),
  loadReport: () => import('./report'),
} satisfies GameEntry;
