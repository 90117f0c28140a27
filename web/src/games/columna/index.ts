/** Columna, stacks within sight of pawns. */
import { m } from '$messages';
import spacesNet from '../../../../crates/engine/src/games/columna/spaces.net?url';
import type { GameEntry } from '../game';
import { objections } from './objections';
import Picture from './OptionPicture.svelte';
import './tokens.css';

export const columna = {
  name: 'Columna',
  designer: 'Rey Alicea',
  year: 2013,
  sides: [m.side_black, m.side_white],
  recordSides: ['black', 'white'],
  aim: m.game_columna_aim,
  board: m.game_columna_board,
  aspect: 1,
  scene: {
    game: 'columna',
    position: 'x7/x2,b1,w2,x3/x5,w1,x/b3,x,b4,x,w1,x2/x7/x2,w3,b1,x3/x4,b2,x2 a5 f1 w 0',
  },
  options: {
    legend: m.option_columna_rules,
    values: [
      { value: 'spaces', label: m.option_columna_spaces },
      { value: 'points', label: m.option_columna_points },
    ],
    offered: ['spaces', 'points'],
    usual: 'spaces',
    unnamed: 'spaces',
    name: (rules) =>
      rules === 'points' ? m.option_columna_points_name({ game: 'Columna' }) : 'Columna',
    Picture,
  },
  lessonSteps: 16,
  pieces: {
    stack: ({ owner, height }, sideName) => m.cell_columna_stack({ side: sideName(owner), height }),
    pawn: (side, sideName) => m.cell_columna_pawn({ side: sideName(side) }),
  },
  roles: {
    pawn: m.role_columna_pawn,
    drop: m.role_columna_drop,
    stack: m.role_columna_stack,
    pass: m.role_columna_pass,
  },
  counted: { fours: m.counted_columna_fours },
  reasons: { path: m.reason_columna_path, blocked: m.reason_columna_blocked },
  counters: {},
  objections,
  net: (rules) => (rules === 'points' ? undefined : spacesNet),
  loadBook: () => import('./book'),
  loadLook: () => import('./look'),
  loadLesson: () => import('./lesson'),
  loadSheet: () => import('./sheet'),
  loadTerms: () => import('./terms'),
  loadReport: () => import('./report'),
} satisfies GameEntry;
