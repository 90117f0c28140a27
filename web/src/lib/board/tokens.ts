/**
 * Which token of one position is which of the next, so that a move is seen as a movement. This
 * compares what is to be seen; it knows no rule.
 */
import type { Step } from '$lib/rules/protocol';
import type { LivingToken, Token } from './look';

let lastId = 0;

/** Whether nothing about a token is to be drawn differently. */
const isUnchanged = (old: LivingToken, now: Token): boolean =>
  old.cell === now.cell &&
  old.level === now.level &&
  old.kind === now.kind &&
  old.side === now.side &&
  old.height === now.height &&
  old.x === now.x &&
  old.y === now.y &&
  old.scale === now.scale;

const placeOf = (token: Token): string => `${token.cell}.${token.level}`;

/**
 * Gives every token the id of the one it was before. In this order: what stays as it is; what
 * changes where it stands (a crown, a conversion); what moves as it is; what changes as it moves
 * along the clicks of the move. The rest is new.
 */
export function follow(
  before: readonly LivingToken[],
  after: readonly Token[],
  steps: readonly Step[] = [],
): LivingToken[] {
  const gone = new Set(before);
  const ids = new Map<Token, number>();
  const clicked = new Set(steps.map((step) => step.cell));
  // The top of a stack first: what is carried keeps its order, and what is discarded is below it.
  const byLevel = [...after].sort((a, b) => b.level - a.level);
  const match = (same: (old: LivingToken, now: Token) => boolean) => {
    for (const now of byLevel) {
      if (ids.has(now)) continue;
      const candidates = [...gone].filter((old) => same(old, now));
      const best = candidates.sort((a, b) => cost(a, now) - cost(b, now))[0];
      if (best === undefined) continue;
      gone.delete(best);
      ids.set(now, best.id);
    }
  };
  const cost = (old: LivingToken, now: Token) =>
    (clicked.has(old.cell) ? 0 : 1e6) - old.level * 1e3 + Math.hypot(old.x - now.x, old.y - now.y);
  const samePlace = (a: Token, b: Token) => a.cell === b.cell && a.level === b.level;
  const sameThing = (a: Token, b: Token) => a.kind === b.kind && a.side === b.side;
  // Nearly everything stays as it is, so that is looked up instead of searched.
  const known = new Map(before.map((token) => [placeOf(token), token]));
  for (const now of after) {
    const old = known.get(placeOf(now));
    if (old === undefined || !sameThing(old, now)) continue;
    gone.delete(old);
    ids.set(now, old.id);
  }
  match(samePlace);
  match((a, b) => sameThing(a, b) && a.height === b.height);
  match((a, b) => a.side === b.side && clicked.has(a.cell) && clicked.has(b.cell));
  const byId = new Map(before.map((token) => [token.id, token]));
  const living = after.map((token) => {
    const id = ids.get(token) ?? ++lastId;
    const old = byId.get(id);
    return old !== undefined && isUnchanged(old, token) ? old : { ...token, id };
  });
  // The order of ids never changes, so no element is moved in the page while it is animated.
  return living.sort((a, b) => a.id - b.id);
}
