/** The report on what kind of game it is, and its words for the rules that bite. */
import { m } from '$messages';
import data from '../../../../docs/reports/palisade.json?raw';
import type { ReportSource } from '../game';

export const source: ReportSource = {
  data,
  rules: {
    'loop-3': m.report_palisade_loop_3,
    'loop-8': m.report_palisade_loop_8,
    'loop-16': m.report_palisade_loop_16,
    'loop-17': m.report_palisade_loop_17,
    capture: m.report_palisade_capture,
    retaken: m.report_palisade_retaken,
  },
};
