/** The report on what kind of game it is, and its words for the rules that bite. */
import { m } from '$messages';
import data from '../../../../docs/reports/columna.json?raw';
import type { ReportSource } from '../game';

export const source: ReportSource = {
  data,
  rules: {
    takeover: m.report_columna_takeover,
    four: m.report_columna_four,
    'stack-move': m.report_columna_stack_move,
    pass: m.report_columna_pass,
  },
};
