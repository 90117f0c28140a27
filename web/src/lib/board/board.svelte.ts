/**
 * The state of a board: what is seen, what is selected, where the keyboard is. There is no DOM
 * here; `Board.svelte` draws it and passes on what people do.
 */
import type { AskRules } from '$lib/rules';
import {
  type Choices,
  type Outcome,
  type Refusal,
  type Side,
  type State,
  type Step,
  type View,
} from '$lib/rules/protocol';
import { meaningOf, understood } from './clicks';
import {
  type Layout,
  type LivingToken,
  type Look,
  type Target,
  type Tried,
  turnedView,
} from './look';
import { type Direction, endOfRow, neighbour, sameStep } from './navigate';
import { type Sketch, toggled } from './sketch';
import { steadyTargets, steadyView } from './steady';
import { follow } from './tokens';

const NOTHING: Choices = { next: [], roles: [], complete: null };

export interface BoardOptions {
  look: Look;
  rules: AskRules;
  /** A whole move was clicked. The owner of the board plays it and calls `show`. */
  onmove?: (move: string) => void;
}

/** What a hovered move would do. */
export interface PreviewMarks {
  move: string;
  /** What would stand on the board that does not now. */
  appears: LivingToken[];
  /** What would be gone. */
  vanishes: LivingToken[];
}

export class Board {
  readonly look: Look;
  /** The position being shown; nothing before the first `show`. */
  state = $state.raw<State | undefined>();
  /** The view as it is drawn. */
  seen = $state.raw<View | undefined>();
  layout = $state.raw<Layout>({ width: 1, height: 1, targets: [], tokens: [] });
  tokens = $state.raw<LivingToken[]>([]);
  /** The clicks of the move being made. */
  clicks = $state.raw<Step[]>([]);
  choices = $state.raw<Choices>(NOTHING);
  /** Whether the person at the board may move now. */
  canMove = $state(false);
  cursor = $state.raw<Step | null>(null);
  hovered = $state.raw<Step | null>(null);
  preview = $state.raw<PreviewMarks | null>(null);
  /** Why the last click was refused; `null` without reason says only that it was. */
  refused = $state.raw<{ step: Step; why: Refusal | null; after: readonly Step[] } | null>(null);
  /** Whether a whole move waits until it is confirmed. */
  confirms = $state(false);
  /** The move that waits to be confirmed. */
  held = $state.raw<string | null>(null);
  /** Whether clicks are kept for the next turn while it is somebody else's. */
  plans = $state(false);
  /** The clicks that are kept for the next turn. */
  plan = $state.raw<readonly Step[]>([]);
  /** The side whose pieces show that they have won. */
  cheered = $state.raw<Side | null>(null);
  /** The cells that the last move changed. */
  last = $state.raw<ReadonlySet<number>>(new Set());
  /** The clicks of a move that is recommended. */
  advised = $state.raw<Step[]>([]);
  /** Whether the board is seen from the other side. */
  turned = $state(false);
  /** The arrows and rings that people have drawn on this position. */
  sketches = $state.raw<readonly Sketch[]>([]);

  /** Sketches are remembered by position while the board is there. */
  private readonly drawn = new Map<string, readonly Sketch[]>();
  private readonly rules: AskRules;
  private readonly onmove: ((move: string) => void) | undefined;
  /** Answers to what was asked before this number changed are out of date. */
  private age = 0;
  /** Clicks that were made before this number changed are out of date. */
  private epoch = 0;
  /** Settled when the last click has been judged. */
  private judged: Promise<void> = Promise.resolve();

  constructor(options: BoardOptions) {
    this.look = options.look;
    this.rules = options.rules;
    this.onmove = options.onmove;
  }

  get view(): View | undefined {
    return this.state?.view;
  }

  /** Where everything would be if this were to be seen. */
  layoutOf(view: View): Layout {
    return this.look.layout(this.fromHere(view));
  }

  /** Puts everything where it belongs; what stays as it is stays the same thing. */
  private lay(view: View, steps: readonly Step[] = []): void {
    this.seen = steadyView(this.seen, this.fromHere(view));
    const layout = this.look.layout(this.seen);
    this.layout = { ...layout, targets: steadyTargets(this.layout.targets, layout.targets) };
    this.tokens = follow(this.tokens, layout.tokens, steps);
  }

  private fromHere(view: View): View {
    return this.turned ? turnedView(view) : view;
  }

  get canTurn(): boolean {
    return this.look.seating !== undefined;
  }

  /** Turns the board round, or so that it is seen from one side. */
  turn(turned = !this.turned): void {
    if (!this.canTurn || turned === this.turned) return;
    this.turned = turned;
    if (this.view === undefined) return;
    this.lay(this.view);
    this.preview = null;
    this.hovered = null;
  }

  /** Lets a player sit where players of that side do. */
  seat(side: Side): void {
    this.turn(this.look.seating === 'opposite' && side === 'second');
  }

  /** Draws an arrow, or a ring where it began; the same again takes it away. */
  sketch(sketch: Sketch): void {
    this.keepSketches(toggled(this.sketches, sketch));
  }

  clearSketches(): void {
    if (this.sketches.length > 0) this.keepSketches([]);
  }

  private keepSketches(sketches: readonly Sketch[]): void {
    this.sketches = sketches;
    if (this.state) this.drawn.set(this.state.position, sketches);
  }

  get side(): Side | undefined {
    return this.state?.side;
  }

  get outcome(): Outcome | null {
    return this.state?.outcome ?? null;
  }

  /** What may be clicked now, if anything may. */
  get targets(): readonly Step[] {
    return this.canMove && this.outcome === null ? this.choices.next : [];
  }

  /** The tokens that the selection has picked up. */
  get lifted(): ReadonlySet<number> {
    const last = this.clicks.at(-1);
    if (last === undefined) return new Set();
    const picked = this.tokens.filter(
      (token) => token.cell === last.cell && !token.isFixed && token.level >= last.level,
    );
    return new Set(picked.map((token) => token.id));
  }

  /** The move that is being made, with what is under the pointer if it may be clicked. */
  get tried(): Tried {
    const under = this.hovered && understood(this.targets, this.hovered);
    const steps = under ? [...this.clicks, under] : this.clicks;
    return { side: this.side ?? 'first', cells: steps.map((step) => step.cell) };
  }

  /** Shows a position. `steps` are the clicks of the move that led to it, if one did just now. */
  show(state: State, steps: readonly Step[] = []): void {
    const before = this.state;
    this.age += 1;
    this.epoch += 1;
    this.state = state;
    this.lay(state.view, steps);
    this.last = steps.length > 0 && before ? changedCells(before.view, state.view) : new Set();
    this.clicks = [];
    this.choices = state.choices;
    this.preview = null;
    this.refused = null;
    this.held = null;
    this.cheered = null;
    this.advised = [];
    this.sketches = this.drawn.get(state.position) ?? [];
  }

  /** Marks the difference to another position as the last move. */
  markLast(before: View): void {
    if (this.view) this.last = changedCells(before, this.view);
  }

  /**
   * A click on a cell or a checker. What it means depends on what the one before it has led to, so
   * clicks that come before the rules have answered are queued.
   */
  click(step: Step): Promise<void> {
    const { epoch } = this;
    const judge = () => (epoch === this.epoch ? this.judge(step) : undefined);
    const judged = this.judged.then(judge);
    this.judged = judged.catch(() => undefined);
    return judged;
  }

  private async judge(step: Step): Promise<void> {
    const state = this.state;
    if (state === undefined || state.outcome !== null) return;
    if (!this.canMove) {
      this.keepForLater(step);
      return;
    }
    this.cursor = this.targetAt(step)?.step ?? this.cursor;
    this.refused = null;
    if (this.held !== null) {
      // The same place again means yes, any other begins anew.
      if (this.clicks.at(-1)?.cell === step.cell) {
        this.confirm();
        return;
      }
      this.startOver();
    }
    const meaning = meaningOf(step, this.clicks, state.choices, this.choices);
    switch (meaning.kind) {
      case 'go-on':
        return this.select([...this.clicks, meaning.step]);
      case 'begin':
        return this.select([meaning.step]);
      case 'finish':
        return this.finish();
      case 'cancel':
        this.startOver();
        return;
      case 'refused':
        return this.refuse(step);
    }
  }

  /** Ends a move that could continue; where moves are confirmed, it waits for that. */
  finish(): void {
    const move = this.choices.complete;
    if (move === null) return;
    if (this.confirms && this.held === null) {
      this.held = move;
      void this.showPreview(this.clicks, () => this.held === move);
      return;
    }
    this.age += 1;
    this.preview = null;
    this.held = null;
    this.onmove?.(move);
  }

  /** Plays the move that waits. */
  confirm(): void {
    if (this.held !== null) this.finish();
  }

  /** A click while it is somebody else's turn is one of the next move; the same again takes it back. */
  private keepForLater(step: Step): void {
    if (!this.plans) return;
    const isAgain = sameStep(this.plan.at(-1), step);
    this.plan = isAgain ? this.plan.slice(0, -1) : [...this.plan, step];
  }

  /** The move that the kept clicks are, if they are one now; they are kept no longer. */
  async takePlan(): Promise<string | null> {
    const { plan, state } = this;
    this.plan = [];
    if (plan.length === 0 || state === undefined || state.outcome !== null) return null;
    const { game, position } = state;
    const clicks: Step[] = [];
    let { choices } = state;
    for (const step of plan) {
      const next = understood(choices.next, step);
      if (next === undefined) return null;
      clicks.push(next);
      choices = await this.rules('choices', { game, position, clicks });
    }
    return this.state === state ? choices.complete : null;
  }

  /** Forgets the clicks so far. Tells whether there were any. */
  cancel(): boolean {
    const had = this.clicks.length > 0 || this.plan.length > 0;
    this.plan = [];
    this.epoch += 1;
    this.startOver();
    return had;
  }

  private startOver(): void {
    this.age += 1;
    this.clicks = [];
    this.choices = this.state?.choices ?? NOTHING;
    this.preview = null;
    this.refused = null;
    this.held = null;
  }

  /** Shows what a click would do, while the pointer or the keyboard is there. */
  async hover(step: Step | null): Promise<void> {
    if (step === this.hovered || sameStep(step, this.hovered)) return;
    this.hovered = step;
    if (this.held !== null) return;
    this.preview = null;
    const state = this.state;
    if (step === null || state === undefined) return;
    const next = understood(this.targets, step);
    if (next === undefined) return;
    await this.showPreview([...this.clicks, next], () => sameStep(this.hovered, step));
  }

  /** Shows what some clicks would do, unless something else is wanted by then. */
  private async showPreview(clicks: Step[], isWanted: () => boolean): Promise<void> {
    const { state, age } = this;
    if (state === undefined) return;
    const { game, position } = state;
    const preview = await this.rules('preview', { game, position, clicks }).catch(() => null);
    if (preview === null || age !== this.age || !isWanted()) return;
    this.preview = {
      move: preview.move,
      ...difference(this.tokens, this.layoutOf(preview.view), clicks),
    };
  }

  moveCursor(direction: Direction): void {
    this.moveCursorBy((from) => neighbour(this.layout.targets, from, direction));
  }

  cursorToEndOfRow(last: boolean): void {
    this.moveCursorBy((from) => endOfRow(this.layout.targets, from, last));
  }

  /** The target under the keyboard; without a cursor, the one where a move may begin. */
  get cursorTarget(): Target | undefined {
    const { targets } = this.layout;
    const known =
      this.cursor && (this.targetAt(this.cursor) ?? this.targetOnCell(this.cursor.cell));
    if (known) return known;
    const first = this.targets[0];
    return (first && this.targetAt(first)) ?? targets[0];
  }

  targetAt(step: Step): Target | undefined {
    return this.layout.targets.find((target) => sameStep(target.step, step));
  }

  private targetOnCell(cell: number): Target | undefined {
    return this.layout.targets.find((target) => target.step.cell === cell);
  }

  private moveCursorBy(go: (from: Target) => Target): void {
    const from = this.cursorTarget;
    if (from === undefined) return;
    this.cursor = go(from).step;
    void this.hover(this.cursor);
  }

  private async select(clicks: Step[]): Promise<void> {
    const state = this.state;
    if (state === undefined) return;
    const age = ++this.age;
    this.clicks = clicks;
    // What may follow is not known yet.
    this.choices = { ...this.choices, next: [], complete: null };
    this.preview = null;
    const { game, position } = state;
    const choices = await this.rules('choices', { game, position, clicks }).catch((error) => {
      if (age === this.age) this.startOver();
      throw error;
    });
    if (age !== this.age) return;
    this.choices = choices;
    if (choices.complete !== null && choices.next.length === 0) this.finish();
    else if (this.hovered) {
      // The pointer may have been there before the answer.
      const { hovered } = this;
      this.hovered = null;
      void this.hover(hovered);
    }
  }

  private async refuse(step: Step): Promise<void> {
    const state = this.state;
    if (state === undefined) return;
    const after = this.clicks;
    const clicks = [...after, step];
    this.startOver();
    const age = this.age;
    const { game, position } = state;
    const why = await this.rules('explain', { game, position, clicks }).catch(() => null);
    if (age === this.age) this.refused = { step, why, after };
  }
}

/** The cells on which something else stands than before. */
export function changedCells(before: View, after: View): Set<number> {
  const text = (piece: unknown) => JSON.stringify(piece);
  const known = new Map(before.spots.map((spot) => [spot.cell, text(spot.piece)]));
  const changed = after.spots.filter((spot) => known.get(spot.cell) !== text(spot.piece));
  return new Set(changed.map((spot) => spot.cell));
}

/** What would come and go, compared with the tokens that are there. */
function difference(tokens: readonly LivingToken[], layout: Layout, steps: Step[]) {
  const after = follow(tokens, layout.tokens, steps);
  const now = new Map(tokens.map((token) => [token.id, token]));
  const then = new Set(after.map((token) => token.id));
  const isSame = (token: LivingToken) => {
    const known = now.get(token.id);
    return (
      known !== undefined &&
      known.cell === token.cell &&
      known.level === token.level &&
      known.side === token.side &&
      known.kind === token.kind &&
      known.height === token.height
    );
  };
  const appears = after.filter((token) => !isSame(token));
  const vanishes = tokens.filter((token) => !then.has(token.id));
  return { appears, vanishes };
}
