/** The report on what kind of game it is, and its words for the rules that bite. */
import { m } from '$messages';
import data from '../../../../docs/reports/impasse.json?raw';
import type { ReportSource } from '../game';

export const source: ReportSource = {
  data,
  rules: {
    'bear-off': m.report_impasse_bear_off,
    crown: m.report_impasse_crown,
    transpose: m.report_impasse_transpose,
    impasse: m.report_impasse_impasse,
  },
};
