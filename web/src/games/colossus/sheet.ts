/** The rules of Colossus to read. */
import { m } from '$messages';
import type { Sheet } from '../../pages/rules/sheet';

export const sheet: Sheet = {
  game: 'colossus',
  contents: { clauses: 7, rulings: 9, figures: [] },
  idea: m.rules_colossus_idea,
  entries: [
    {
      id: 'setup',
      clauses: ['1'],
      title: m.rules_colossus_setup_title,
      text: [m.rules_colossus_setup_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't2W/5/6/t5t/6/5/B2t b 3 0 6',
          caption: m.rules_colossus_setup_figure1,
        },
      ],
    },
    {
      id: 'spaces',
      clauses: ['2'],
      title: m.rules_colossus_spaces_title,
      text: [m.rules_colossus_spaces_text],
      diagrams: [],
    },
    {
      id: 'place',
      clauses: ['3'],
      title: m.rules_colossus_place_title,
      text: [m.rules_colossus_place_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't2W/3w1/2w3/t2w2t/2b3/bb3/B2t b 3 0 12',
          move: 'd3',
          caption: m.rules_colossus_place_figure1,
        },
      ],
    },
    {
      id: 'move',
      clauses: ['3'],
      title: m.rules_colossus_move_title,
      text: [m.rules_colossus_move_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't2W/3w1/2w3/t2w2t/6/bb3/B2t b 3 0 11',
          move: 'b2-d3',
          caption: m.rules_colossus_move_figure1,
        },
      ],
    },
    {
      id: 'claim',
      clauses: ['3'],
      title: m.rules_colossus_claim_title,
      text: [m.rules_colossus_claim_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't2W/4w/4w1/t5t/b2w2/b4/B2t b 3 0 11',
          move: 'd1=b1.c1',
          caption: m.rules_colossus_claim_figure1,
        },
        {
          game: 'colossus',
          position: 't1wW/3ww/6/Bbbbbbt/6/5/B2t b 3 0 14',
          move: 'd7=d2.d3.d4.d5.d6+d4',
          caption: m.rules_colossus_claim_figure2,
        },
      ],
    },
    {
      id: 'siege',
      clauses: ['4'],
      title: m.rules_colossus_siege_title,
      text: [m.rules_colossus_siege_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't1bW/3bw/6/t5W/3b1w/1b3/B2t b 3 0 12',
          move: 'e5',
          caption: m.rules_colossus_siege_figure1,
        },
      ],
    },
    {
      id: 'force',
      clauses: ['5'],
      title: m.rules_colossus_force_title,
      text: [m.rules_colossus_force_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't1bB/3bb/4b1/t5t/3bw1/4b/B2t w 3 0 13',
          move: 'c5-a4',
          caption: m.rules_colossus_force_figure1,
        },
      ],
    },
    {
      id: 'defeat',
      clauses: ['6'],
      title: m.rules_colossus_defeat_title,
      text: [m.rules_colossus_defeat_text],
      diagrams: [
        {
          game: 'colossus',
          position: 't1bW/3b1/6/t5t/6/5/B2t b 3 0 8',
          move: 'f5',
          caption: m.rules_colossus_defeat_figure1,
        },
      ],
    },
    {
      id: 'score',
      clauses: ['7'],
      title: m.rules_colossus_score_title,
      text: [m.rules_colossus_score_text],
      diagrams: [
        {
          game: 'colossus',
          position: 'WbbW/wwwww/ww1www/BbwBwwW/bbbbbb/bbbbb/BbbB w 2 0 36',
          move: 'e3',
          caption: m.rules_colossus_score_figure1,
        },
      ],
    },
  ],
  rulings: [
    { id: 'R1', text: m.rules_colossus_ruling_r1 },
    { id: 'R2', text: m.rules_colossus_ruling_r2 },
    { id: 'R3', text: m.rules_colossus_ruling_r3 },
    { id: 'R4', text: m.rules_colossus_ruling_r4 },
    { id: 'R5', text: m.rules_colossus_ruling_r5 },
    { id: 'R6', text: m.rules_colossus_ruling_r6 },
    { id: 'R7', text: m.rules_colossus_ruling_r7 },
    { id: 'R8', text: m.rules_colossus_ruling_r8 },
    { id: 'R9', text: m.rules_colossus_ruling_r9 },
  ],
  notation: [
    { example: 'c3', meaning: m.rules_colossus_notation_1 },
    { example: 'b2-d3', meaning: m.rules_colossus_notation_2 },
    { example: 'd1=b1.c1', meaning: m.rules_colossus_notation_3 },
    { example: 'g4=b2.c3.d4.e4.f4+d4', meaning: m.rules_colossus_notation_4 },
  ],
  position: { text: 't2W/5/6/t5t/6/5/B2t b 3 0 6', meaning: m.rules_colossus_position },
  hints: [m.rules_colossus_hint_1, m.rules_colossus_hint_2, m.rules_colossus_hint_3],
};
