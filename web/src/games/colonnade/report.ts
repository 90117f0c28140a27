/** The report on what kind of game it is, and its words for the rules that bite. */
import data from '../../../../docs/reports/colonnade.json?raw';
import type { ReportSource } from '../game';

export const source: ReportSource = {
  data,
  rules: {},
};
