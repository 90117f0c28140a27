/** The rules of Colonnade to read. */
import { m } from '$messages';
import type { Sheet } from '../../pages/rules/sheet';

export const sheet: Sheet = {
  game: 'colonnade',
  contents: { clauses: 6, rulings: 0, figures: ['figure 2', 'figure 4'] },
  idea: m.rules_colonnade_idea,
  entries: [
    {
      id: 'setup',
      clauses: ['1'],
      title: m.rules_colonnade_setup_title,
      text: [m.rules_colonnade_setup_text],
      diagrams: [
        {
          game: 'colonnade',
          position: '-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r',
          caption: m.rules_colonnade_setup_figure1,
        },
      ],
    },
    {
      id: 'lift',
      clauses: ['2'],
      title: m.rules_colonnade_lift_title,
      text: [m.rules_colonnade_lift_text],
      diagrams: [],
    },
    {
      id: 'stack',
      clauses: ['3'],
      title: m.rules_colonnade_stack_title,
      text: [m.rules_colonnade_stack_text],
      diagrams: [
        {
          game: 'colonnade',
          position: 'rbrbr/br/-/-/-/-/-/- r',
          move: '5a>',
          caption: m.rules_colonnade_stack_figure1,
        },
      ],
    },
    {
      id: 'discard',
      clauses: ['4'],
      title: m.rules_colonnade_discard_title,
      text: [m.rules_colonnade_discard_text],
      diagrams: [
        {
          game: 'colonnade',
          position: 'rbrbr/br/-/-/-/-/-/- r',
          move: '1a>',
          caption: m.rules_colonnade_discard_figure1,
        },
        {
          game: 'colonnade',
          position: 'rbrbr/br/-/-/-/-/-/- r',
          move: '3a>',
          caption: m.rules_colonnade_discard_figure2,
        },
      ],
    },
    {
      id: 'empty',
      clauses: ['5'],
      title: m.rules_colonnade_empty_title,
      text: [m.rules_colonnade_empty_text],
      diagrams: [
        {
          game: 'colonnade',
          position: 'rbr/-/-/-/-/-/-/- b',
          move: '2a>',
          caption: m.rules_colonnade_empty_figure1,
        },
        {
          game: 'colonnade',
          position: 'rbr/-/-/-/-/-/-/- r',
          move: '1a>',
          caption: m.rules_colonnade_empty_figure2,
        },
      ],
    },
    {
      id: 'end',
      clauses: ['6'],
      title: m.rules_colonnade_end_title,
      text: [m.rules_colonnade_end_text],
      diagrams: [
        {
          game: 'colonnade',
          position: '-/r/br/r/-/-/-/- b',
          caption: m.rules_colonnade_end_figure1,
        },
      ],
    },
  ],
  rulings: [],
  notation: [
    { example: '2c>', meaning: m.rules_colonnade_notation_1 },
    { example: '1b<', meaning: m.rules_colonnade_notation_2 },
    { example: '5a>', meaning: m.rules_colonnade_notation_3 },
  ],
  position: { text: '-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r', meaning: m.rules_colonnade_position },
  hints: [m.rules_colonnade_hint_1, m.rules_colonnade_hint_2, m.rules_colonnade_hint_3],
};
