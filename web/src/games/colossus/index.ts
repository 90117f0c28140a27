/** Colossus, stones and towers on hexagons. */
import { m } from '$messages';
import net from '../../../../crates/engine/src/games/colossus/default.net?url';
import type { GameEntry } from '../game';
import { objections } from './objections';
import './tokens.css';

export const colossus = {
  name: 'Colossus',
  designer: 'Aaron Bradford Starr',
  year: 2005,
  sides: [m.side_black, m.side_white],
  recordSides: ['black', 'white'],
  aim: m.game_colossus_aim,
  board: m.game_colossus_board,
  aspect: 824 / 759,
  scene: { game: 'colossus', position: 't1wW/3ww/4w1/Bbbbbbt/6/1b3/B2t b 3 0 16' },
  lessonSteps: 14,
  pieces: {
    stone: (side, sideName) => m.cell_stone({ side: sideName(side) }),
    tower: (side, sideName) =>
      side === null
        ? m.cell_colossus_tower_empty()
        : m.cell_colossus_tower({ side: sideName(side) }),
  },
  roles: {
    tower: m.role_colossus_tower,
    'line-end': m.role_colossus_line_end,
    'new-tower': m.role_colossus_new_tower,
  },
  counted: { score: m.counted_colossus_score },
  reasons: {
    'no-tower': m.reason_colossus_no_tower,
    'full-board': m.reason_colossus_full_board,
  },
  counters: { supply: m.counter_colossus_supply, peak: m.counter_colossus_peak },
  supply: m.supply_colossus,
  objections,
  net: () => net,
  loadBook: () => import('./book'),
  loadLook: () => import('./look'),
  loadLesson: () => import('./lesson'),
  loadSheet: () => import('./sheet'),
  loadTerms: () => import('./terms'),
  loadReport: () => import('./report'),
} satisfies GameEntry;
