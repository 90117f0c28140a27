/** The rules of Palisade to read. */
import { m } from '$messages';
import type { Sheet } from '../../pages/rules/sheet';

export const sheet: Sheet = {
  game: 'palisade',
  contents: { clauses: 7, rulings: 0, figures: ['figure 3', 'figure 4'] },
  idea: m.rules_palisade_idea,
  entries: [
    {
      id: 'setup',
      clauses: ['1'],
      title: m.rules_palisade_setup_title,
      text: [m.rules_palisade_setup_text, m.rules_palisade_setup_text2],
      diagrams: [
        {
          game: 'palisade:7',
          position: '7/7/7/7/7/7/7 b',
          caption: m.rules_palisade_setup_figure1,
        },
      ],
    },
    {
      id: 'placement',
      clauses: ['2'],
      title: m.rules_palisade_placement_title,
      text: [m.rules_palisade_placement_text],
      diagrams: [],
    },
    {
      id: 'loop',
      clauses: ['3'],
      title: m.rules_palisade_loop_title,
      text: [m.rules_palisade_loop_text],
      diagrams: [
        {
          game: 'palisade:5',
          position: '1w3/4w/5/1b1b1/2b2 b',
          move: 'c3',
          caption: m.rules_palisade_loop_figure1,
        },
        {
          game: 'palisade:5',
          position: '5/3b1/2b2/w4/5 w',
          move: 'b1',
          caption: m.rules_palisade_loop_figure2,
        },
      ],
    },
    {
      id: 'capture',
      clauses: ['4'],
      title: m.rules_palisade_capture_title,
      text: [m.rules_palisade_capture_text],
      diagrams: [
        {
          game: 'palisade:7',
          position: '2b4/1bwbw2/3wbw1/wb1b1bw/1wb1b2/2wbw1w/b2w3 b',
          move: 'a5',
          caption: m.rules_palisade_capture_figure1,
        },
        {
          game: 'palisade:7',
          position: '7/3b2w/2bwb2/1bw1wb1/2bw3/w2b2w/7 b',
          move: 'e3',
          caption: m.rules_palisade_capture_figure2,
        },
      ],
    },
    {
      id: 'closed',
      clauses: ['5'],
      title: m.rules_palisade_closed_title,
      text: [m.rules_palisade_closed_text],
      diagrams: [
        {
          game: 'palisade:7',
          position: 'bw1wb1b/4wbw/bw1w1w1/w1w3w/bwbw1wb/1b2wb1/b1b1b1b b',
          caption: m.rules_palisade_closed_figure1,
        },
      ],
    },
    {
      id: 'ownership',
      clauses: ['6'],
      title: m.rules_palisade_ownership_title,
      text: [m.rules_palisade_ownership_text],
      diagrams: [],
    },
    {
      id: 'end',
      clauses: ['7'],
      title: m.rules_palisade_end_title,
      text: [m.rules_palisade_end_text],
      diagrams: [
        {
          game: 'palisade:5',
          position: 'b1bw1/1bw1w/b1bw1/1bw1w/1w1w1 b',
          move: 'a1',
          caption: m.rules_palisade_end_figure1,
        },
      ],
    },
  ],
  rulings: [],
  notation: [{ example: 'd4', meaning: m.rules_palisade_notation_1 }],
  position: { text: '7/7/7/7/7/7/7 b', meaning: m.rules_palisade_position },
  hints: [m.rules_palisade_hint_1, m.rules_palisade_hint_2, m.rules_palisade_hint_3],
};
