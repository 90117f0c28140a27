/** Palisade, loops of stones on a grid. */
import { m } from '$messages';
import net from '../../../../crates/engine/src/games/palisade/default.net?url';
import type { GameEntry } from '../game';
import { objections } from './objections';
import Picture from './OptionPicture.svelte';
import './tokens.css';

const SIZES = ['3', '5', '7', '9', '11', '13', '15', '17', '19'];

export const palisade = {
  name: 'Palisade',
  designer: 'Mark Steere',
  year: 2007,
  sides: [m.side_black, m.side_white],
  recordSides: ['black', 'white'],
  aim: m.game_palisade_aim,
  board: m.game_palisade_board,
  aspect: 1,
  scene: { game: 'palisade:7', position: '2b4/1b1bw2/b3bw1/wb1b1bw/1wb1b2/2wbw1w/b2w3 w' },
  small: 'palisade:7',
  options: {
    legend: m.option_palisade_size,
    values: SIZES.map((size) => ({
      value: size,
      label: () => m.option_palisade_size_value({ size }),
    })),
    offered: ['5', '7', '9', '13', '19'],
    usual: '9',
    unnamed: '19',
    name: (size) => m.option_palisade_name({ game: 'Palisade', size }),
    ratedName: (size) =>
      (Number(size) <= 7
        ? m.rated_palisade_small
        : Number(size) <= 11
          ? m.rated_palisade_medium
          : m.rated_palisade_large)({ game: 'Palisade' }),
    Picture,
  },
  lessonSteps: 14,
  pieces: { stone: (side, sideName) => m.cell_stone({ side: sideName(side) }) },
  roles: {},
  counted: { points: m.counted_palisade_points },
  reasons: { territory: m.reason_palisade_territory },
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
