/** The report on what kind of game it is, and its words for the rules that bite. */
import { m } from '$messages';
import data from '../../../../docs/reports/colossus.json?raw';
import type { ReportSource } from '../game';

export const source: ReportSource = {
  data,
  rules: {
    move: m.report_colossus_move,
    turn: m.report_colossus_turn,
    claim: m.report_colossus_claim,
    'new-tower': m.report_colossus_new_tower,
    siege: m.report_colossus_siege,
    'desperate-force': m.report_colossus_desperate_force,
  },
};
