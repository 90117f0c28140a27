/** The rules of Columna to read. */
import { m } from '$messages';
import type { Sheet } from '../../pages/rules/sheet';

export const sheet: Sheet = {
  game: 'columna',
  contents: { clauses: 10, rulings: 4, figures: [] },
  idea: m.rules_columna_idea,
  entries: [
    {
      id: 'stacks',
      clauses: ['1'],
      title: m.rules_columna_stacks_title,
      text: [m.rules_columna_stacks_text],
      diagrams: [],
    },
    {
      id: 'setup',
      clauses: ['2'],
      title: m.rules_columna_setup_title,
      text: [m.rules_columna_setup_text],
      diagrams: [
        {
          game: 'columna',
          position: 'x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0',
          caption: m.rules_columna_setup_figure1,
        },
      ],
    },
    {
      id: 'turn',
      clauses: ['3'],
      title: m.rules_columna_turn_title,
      text: [m.rules_columna_turn_text],
      diagrams: [],
    },
    {
      id: 'drop',
      clauses: ['3'],
      title: m.rules_columna_drop_title,
      text: [m.rules_columna_drop_text],
      diagrams: [
        {
          game: 'columna',
          position: 'x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0',
          move: 'a4@d4',
          caption: m.rules_columna_drop_figure1,
        },
      ],
    },
    {
      id: 'onto',
      clauses: ['3'],
      title: m.rules_columna_onto_title,
      text: [m.rules_columna_onto_text],
      diagrams: [
        {
          game: 'columna',
          position: 'x7/x7/x7/w1,x,w2,b2,x3/x7/x7/x7 a3 i5 b 0',
          move: 'a5@d5',
          caption: m.rules_columna_onto_figure1,
        },
      ],
    },
    {
      id: 'move',
      clauses: ['3'],
      title: m.rules_columna_move_title,
      text: [m.rules_columna_move_text],
      diagrams: [
        {
          game: 'columna',
          position: 'x7/x7/x7/x7/x2,b2,w1,x3/x7/x7 a3 i5 b 0',
          move: 'a4,d4-d6',
          caption: m.rules_columna_move_figure1,
        },
      ],
    },
    {
      id: 'sight',
      clauses: ['4'],
      title: m.rules_columna_sight_title,
      text: [m.rules_columna_sight_text],
      diagrams: [],
    },
    {
      id: 'end',
      clauses: ['5'],
      title: m.rules_columna_end_title,
      text: [m.rules_columna_end_text],
      diagrams: [
        {
          game: 'columna',
          position:
            'b4,w4,b4,w4,b4,w4,b4/w4,b4,w4,b4,w4,b4,w4/b4,w4,b4,w4,b4,w4,b4/w4,b4,w4,b3,w4,b4,w4/b4,w4,b4,w4,b4,w4,b4/w4,b4,w4,b4,w4,b4,w4/w3,w4,b4,w4,b4,w4,b4 a3 i5 b 0',
          move: 'a2@b2',
          caption: m.rules_columna_end_figure1,
        },
      ],
    },
    {
      id: 'ring',
      clauses: ['6'],
      title: m.rules_columna_ring_title,
      text: [m.rules_columna_ring_text],
      diagrams: [],
    },
    {
      id: 'pawn',
      clauses: ['7'],
      title: m.rules_columna_pawn_title,
      text: [m.rules_columna_pawn_text],
      diagrams: [],
    },
    {
      id: 'path',
      clauses: ['8'],
      title: m.rules_columna_path_title,
      text: [m.rules_columna_path_text],
      diagrams: [
        {
          game: 'columna',
          position: 'x7/x3,w1,x3/x7/x4,w3,x2/x7/x,b1,b2,x4/x2,b1,x4 a6 d1 b 0',
          move: 'a3@b3',
          caption: m.rules_columna_path_figure1,
        },
      ],
    },
    {
      id: 'track',
      clauses: ['9'],
      title: m.rules_columna_track_title,
      text: [m.rules_columna_track_text],
      diagrams: [
        {
          game: 'columna:points',
          position: 'x7/x7/x2,w1,x4/x7/x7/x4,b1,x2/x7 a9 i1 b 0',
          move: 'd9@d6',
          caption: m.rules_columna_track_figure1,
        },
      ],
    },
    {
      id: 'no-path',
      clauses: ['10'],
      title: m.rules_columna_no_path_title,
      text: [m.rules_columna_no_path_text],
      diagrams: [],
    },
  ],
  rulings: [
    { id: 'R1', text: m.rules_columna_ruling_r1 },
    { id: 'R2', text: m.rules_columna_ruling_r2 },
    { id: 'R3', text: m.rules_columna_ruling_r3 },
    { id: 'R4', text: m.rules_columna_ruling_r4 },
  ],
  notation: [
    { example: 'a4@d4', meaning: m.rules_columna_notation_1 },
    { example: 'a4,d4-d6', meaning: m.rules_columna_notation_2 },
    { example: 'pass', meaning: m.rules_columna_notation_3 },
  ],
  position: { text: 'x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0', meaning: m.rules_columna_position },
  hints: [m.rules_columna_hint_1, m.rules_columna_hint_2, m.rules_columna_hint_3],
};
