/** The answers to a designer's questions, in sentences. */
import { m } from '$messages';
import type { Side } from '$lib/rules/protocol';
import { type Board, type Bounded, type Figures, number, percent, type Played } from './report';

const isBelow = (figure: Bounded, value: number) => figure.high !== null && figure.high < value;
const isAbove = (figure: Bounded, value: number) => figure.low !== null && figure.low > value;

/** A score whose error is larger than this cannot be called even. */
const MAX_ERROR_OF_EVEN = 0.1;

export function answers(board: Board, sideName: (side: Side) => string): string[] {
  const { exact, figures } = board;
  const best = figures?.strengths.at(-1);
  return [
    ...(exact ? [certain(exact.winner, exact.plies, sideName)] : []),
    ...(figures && best ? played(figures, best, exact !== null, sideName) : []),
  ];
}

function certain(
  winner: Side | null,
  plies: number | null,
  sideName: (side: Side) => string,
): string {
  if (winner === null) return m.report_exact_draw();
  const side = sideName(winner);
  return plies === null ? m.report_exact_wins({ side }) : m.report_exact_wins_in({ side, plies });
}

function played(
  figures: Figures,
  best: Played,
  isSolved: boolean,
  sideName: (side: Side) => string,
): string[] {
  const { first_score: score } = best;
  const verdict = isAbove(score, 0.5)
    ? m.report_first_advantage()
    : isBelow(score, 0.5)
      ? m.report_second_advantage()
      : m.report_no_advantage();
  const first = m.report_first({ side: sideName('first'), score: percent(score) });
  const sentences = [`${first} ${verdict}`];
  const even = isSolved ? undefined : pie(figures);
  if (even !== undefined) sentences.push(even);
  sentences.push(
    best.results[1] === 0 ? m.report_no_draws() : m.report_draws({ draws: percent(best.draws) }),
    m.report_length({ turns: number(best.length.mean), moves: number(best.branching) }),
    m.report_lead_changes({ changes: number(best.lead_changes) }),
  );
  if (best.decided) sentences.push(m.report_decided({ share: percent(best.decided) }));
  if (best.comebacks) sentences.push(m.report_comebacks({ share: percent(best.comebacks) }));
  if (best.behind_wins) sentences.push(m.report_behind({ share: percent(best.behind_wins) }));
  if (figures.choice) {
    const { legal, good, random_cost: cost } = figures.choice;
    sentences.push(
      m.report_good_moves({ legal: number(legal), good: number(good), cost: percent(cost) }),
    );
  }
  return sentences;
}

/** The first move for a pie rule. */
function pie({ openings }: Figures): string | undefined {
  const move = openings.pie[0];
  const score = openings.first_moves.find((first) => first.move === move)?.score;
  if (move === undefined || !score) return;
  const parts = { move, score: percent(score) };
  if (isAbove(score, 0.5) || isBelow(score, 0.5)) return m.report_pie_near(parts);
  const isSure = (score.high ?? 1) - (score.low ?? 0) <= 2 * MAX_ERROR_OF_EVEN;
  return isSure ? m.report_pie_fair(parts) : m.report_pie_maybe(parts);
}
