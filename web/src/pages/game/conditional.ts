/**
 * Lines of conditional moves: each begins with a move of the other side and ends with an answer. A
 * move has one answer, so a new line takes the place of those that answer the same moves otherwise.
 */
type Line = readonly string[];

const isBeginningOf = (one: Line, other: Line): boolean =>
  one.length <= other.length && one.every((move, i) => move === other[i]);

/** How many moves two lines have in common. */
function shared(one: Line, other: Line): number {
  const differs = one.findIndex((move, i) => move !== other[i]);
  return differs === -1 ? one.length : differs;
}

/** Whether two lines answer the same moves differently. */
export function contradict(one: Line, other: Line): boolean {
  const same = shared(one, other);
  return same % 2 === 1 && same < Math.min(one.length, other.length);
}

/** The lines with another one. */
export function withLine(lines: readonly Line[], line: Line): string[][] {
  const others = lines.filter((known) => !contradict(known, line) && !isBeginningOf(known, line));
  const isKnown = others.some((known) => isBeginningOf(line, known));
  return [...others, ...(isKnown ? [] : [line])].map((one) => [...one]);
}

/** A line as pairs of a move and its answer. */
export function pairs(line: Line): [move: string, answer: string][] {
  const count = Math.floor(line.length / 2);
  return Array.from({ length: count }, (_, i) => [line[2 * i] ?? '', line[2 * i + 1] ?? '']);
}
