/** The rules of Impasse to read. */
import { m } from '$messages';
import type { Sheet } from '../../pages/rules/sheet';

export const sheet: Sheet = {
  game: 'impasse',
  contents: { clauses: 6, rulings: 4, figures: ['figure 3', 'figure 6'] },
  idea: m.rules_impasse_idea,
  entries: [
    {
      id: 'setup',
      clauses: ['1'],
      title: m.rules_impasse_setup_title,
      text: [m.rules_impasse_setup_text, m.rules_impasse_setup_text2],
      diagrams: [
        {
          game: 'impasse',
          position: '1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w',
          caption: m.rules_impasse_setup_figure1,
        },
      ],
    },
    {
      id: 'slide',
      clauses: ['2'],
      title: m.rules_impasse_slide_title,
      text: [m.rules_impasse_slide_text],
      diagrams: [
        {
          game: 'impasse',
          position: '1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w',
          move: 'g7-c3',
          caption: m.rules_impasse_slide_figure1,
        },
        {
          game: 'impasse',
          position: '1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w',
          move: 'd2-a5',
          caption: m.rules_impasse_slide_figure2,
        },
      ],
    },
    {
      id: 'transpose',
      clauses: ['2'],
      title: m.rules_impasse_transpose_title,
      text: [m.rules_impasse_transpose_text],
      diagrams: [
        {
          game: 'impasse',
          position: '8/2W5/1w6/8/8/8/8/6b1 w',
          move: 'c7=b6',
          caption: m.rules_impasse_transpose_figure1,
        },
      ],
    },
    {
      id: 'bear-off',
      clauses: ['3'],
      title: m.rules_impasse_bear_off_title,
      text: [m.rules_impasse_bear_off_text],
      diagrams: [
        {
          game: 'impasse',
          position: '8/8/8/4W3/8/8/8/6b1 w',
          move: 'e5-a1*',
          caption: m.rules_impasse_bear_off_figure1,
        },
      ],
    },
    {
      id: 'crown',
      clauses: ['4'],
      title: m.rules_impasse_crown_title,
      text: [m.rules_impasse_crown_text, m.rules_impasse_crown_text2],
      diagrams: [
        {
          game: 'impasse',
          position: '8/8/8/8/3w4/8/8/w5b1 w',
          move: 'd4-h8+a1>h8',
          caption: m.rules_impasse_crown_figure1,
        },
        {
          game: 'impasse',
          position: '1w6/8/8/4W3/8/8/8/6b1 w',
          move: 'e5-a1*+a1>b8',
          caption: m.rules_impasse_crown_figure2,
        },
      ],
    },
    {
      id: 'impasse',
      clauses: ['5'],
      title: m.rules_impasse_impasse_title,
      text: [m.rules_impasse_impasse_text],
      diagrams: [
        {
          game: 'impasse',
          position: '8/8/8/b7/8/2W5/1B1b4/2w5 w',
          move: '*c3',
          caption: m.rules_impasse_impasse_figure1,
        },
        {
          game: 'impasse',
          position: '1w3W2/4b1b1/8/8/8/8/8/8 w',
          move: '*f8+b8>f8',
          caption: m.rules_impasse_impasse_figure2,
        },
      ],
    },
    {
      id: 'end',
      clauses: ['6'],
      title: m.rules_impasse_end_title,
      text: [m.rules_impasse_end_text],
      diagrams: [
        {
          game: 'impasse',
          position: '1w6/8/8/8/8/8/8/6b1 w',
          move: '*b8',
          caption: m.rules_impasse_end_figure1,
        },
      ],
    },
  ],
  rulings: [
    { id: 'R1', text: m.rules_impasse_ruling_r1 },
    { id: 'R2', text: m.rules_impasse_ruling_r2 },
    { id: 'R3', text: m.rules_impasse_ruling_r3 },
    { id: 'R4', text: m.rules_impasse_ruling_r4 },
  ],
  notation: [
    { example: 'a1-c3', meaning: m.rules_impasse_notation_1 },
    { example: 'c7=b6', meaning: m.rules_impasse_notation_2 },
    { example: '*e1', meaning: m.rules_impasse_notation_3 },
    { example: 'e5-a1*', meaning: m.rules_impasse_notation_4 },
    { example: 'd4-h8+a1>h8', meaning: m.rules_impasse_notation_5 },
  ],
  position: {
    text: '1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w',
    meaning: m.rules_impasse_position,
  },
  hints: [m.rules_impasse_hint_1, m.rules_impasse_hint_2, m.rules_impasse_hint_3],
};
