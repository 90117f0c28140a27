/**
 * What is being analysed: a tree of moves with a place in it, shown on a board, kept in the
 * browser. The engine is elsewhere (`lines.svelte.ts`); it only looks at `position`.
 */
import { type GameId, GAMES, loadLook, plainId } from '$games/index';
import { announce } from '$lib/announce.svelte';
import { announceMove } from '$lib/board/announce-move';
import { Board } from '$lib/board/board.svelte';
import { locale } from '$lib/i18n/locale.svelte';
import { rules } from '$lib/rules';
import { failureWords } from '$lib/rules/failures';
import { type Side, type State, type Step } from '$lib/rules/protocol';
import { newId } from '$lib/store/games';
import * as trees from '$lib/tree/tree';
import { ROOT, type Tree } from '$lib/tree/tree';
import { m } from '$messages';
import { type KeptAnalysis, lastKept, saveAnalysis } from './kept';
import type { Source } from './sources';

/** So many changes can be undone. */
const MAX_UNDO = 200;

interface Moment {
  tree: Tree;
  at: number;
  /** Changes of the same thing in a row, such as the letters of a comment, are undone together. */
  topic: string;
}

export interface AnalysisOptions {
  id?: string;
  name?: string;
  at?: string[];
  curve?: KeptAnalysis['curve'];
  turned?: boolean;
  /** When it was kept. */
  updated?: number;
}

export class Analysis {
  /** It changes if this becomes a copy. */
  id: string;
  readonly game: GameId;
  readonly board: Board;
  readonly source: Source;
  name = $state('');
  tree = $state.raw<Tree>(trees.EMPTY);
  /**
   * The id of the move after which the board is shown. It changes at once, so that keys pressed
   * quickly count from there; the board follows when the rules have answered.
   */
  at = $state(ROOT);
  /** The position being analysed; the board may show another one for a moment. */
  position = $state('');
  startSide = $state<Side>('first');
  /** Whether the board shows what would be, not what is. */
  previewing = $state(false);
  /** What went wrong just now, in words. */
  notice = $state('');
  /** Whether the browser keeps this analysis; unknown before the first change. */
  kept = $state<boolean | undefined>();
  curve = $state.raw<KeptAnalysis['curve']>();
  past = $state.raw<Moment[]>([]);
  future = $state.raw<Moment[]>([]);
  /** Whether this became a copy, because another tab has changed what was kept. */
  isCopy = $state(false);
  /** Called when something is kept under an id for the first time. */
  onkept: (() => void) | undefined;
  /** When this tab wrote or read what is kept. */
  private keptAt: number | undefined;
  /** The place that `position` belongs to. */
  private shownAt = ROOT;
  private shown: { state: State; before: State | undefined } | undefined;
  /** What was asked before this number changed is out of date. */
  private age = 0;
  /** The same for what is shown ahead of time. */
  private previewAge = 0;

  private constructor(source: Source, game: GameId, id: string, board: (self: Analysis) => Board) {
    this.source = source;
    this.game = game;
    this.id = id;
    this.board = board(this);
  }

  static async open(source: Source, options: AnalysisOptions = {}): Promise<Analysis> {
    const game = plainId(source.game);
    if (game === undefined) throw new Error(m.analyse_unknown_game());
    const look = await loadLook(game);
    const analysis = new Analysis(source, game, options.id ?? newId(), (self) => {
      const onmove = (move: string) => void self.play(move);
      return new Board({ look, rules, onmove });
    });
    analysis.name = options.name ?? '';
    analysis.tree = trees.fromRecord(source.nodes, source.comment);
    analysis.curve = options.curve;
    analysis.kept = options.id === undefined ? undefined : true;
    analysis.keptAt = options.updated;
    analysis.board.turn(options.turned ?? false);
    const start = await rules('state', { game: source.game, position: source.start });
    analysis.startSide = start.side;
    const place = trees.addLine(analysis.tree, ROOT, options.at ?? []);
    // A place that is not in the tree any more is no reason to begin elsewhere than at the start.
    await analysis.goTo(place.tree === analysis.tree ? place.id : ROOT);
    analysis.board.canMove = true;
    return analysis;
  }

  get node(): trees.TreeMove | undefined {
    return trees.moveAt(this.tree, this.at);
  }

  /** The line that the board is on, to its end. */
  get line(): trees.TreeMove[] {
    return trees.lineThrough(this.tree, this.at);
  }

  /** How many moves lead to the position shown. */
  get ply(): number {
    return trees.pathTo(this.tree, this.at)?.length ?? 0;
  }

  /** Whose turn it is after some moves. */
  sideAt(ply: number): Side {
    return (ply % 2 === 0) === (this.startSide === 'first') ? 'first' : 'second';
  }

  async play(move: string): Promise<void> {
    const { shownAt, position } = this;
    const age = this.begin();
    const side = this.shown?.state.side;
    const tokens = this.board.tokens.length;
    try {
      const played = await rules('play', { game: this.source.game, position, move });
      if (age !== this.age) return;
      const { tree, id } = trees.add(this.tree, shownAt, played.move);
      if (tree !== this.tree) this.change(tree, id, `move ${id}`);
      else this.at = id;
      const before = this.shown?.state;
      this.show(id, played.state, before, played.steps);
      this.tell(side, played.move, played.state, tokens);
      this.keep();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Plays several moves one after the other: a line of the engine. */
  async playLine(moves: readonly string[]): Promise<void> {
    const { tree, id } = trees.addLine(this.tree, this.shownAt, moves);
    if (tree !== this.tree) this.change(tree, this.at, `line ${id}`);
    await this.goTo(id);
    this.keep();
  }

  /** Shows the position after a move. */
  async goTo(id: number, { keep = true } = {}): Promise<void> {
    if (!trees.has(this.tree, id)) return;
    const age = this.begin();
    const forward = trees.parentOf(this.tree, id) === this.shownAt && id !== this.shownAt;
    this.at = id;
    const moves = trees.movesTo(this.tree, id);
    const { game, start } = this.source;
    try {
      const { line } = await rules('line', { game, position: start, moves });
      const position = line.at(-1)?.position ?? start;
      const earlier = line.length > 1 ? line.at(-2)?.position : start;
      const last = moves.at(-1);
      const from = last === undefined || earlier === undefined ? undefined : earlier;
      const [state, before, steps] = await Promise.all([
        rules('state', { game, position }),
        from === undefined ? undefined : rules('state', { game, position: from }),
        from === undefined || last === undefined
          ? null
          : rules('steps', { game, position: from, move: last }),
      ]);
      if (age !== this.age) return;
      this.show(id, state, before, forward ? (steps ?? []) : []);
      if (keep && this.kept !== undefined) this.keep();
    } catch (error) {
      if (age !== this.age) return;
      this.at = trees.has(this.tree, this.shownAt) ? this.shownAt : ROOT;
      this.fail(error);
    }
  }

  /** Along the line that the board is on. */
  async walk(by: 'start' | 'back' | 'forward' | 'end'): Promise<void> {
    const line = this.line;
    const { ply } = this;
    const target = { start: 0, back: ply - 1, forward: ply + 1, end: line.length }[by];
    if (target < 0 || target > line.length) return;
    await this.goTo(line[target - 1]?.id ?? ROOT);
  }

  /** To the variation before or after this one. */
  async sidestep(by: 1 | -1): Promise<void> {
    const siblings = trees.siblingsOf(this.tree, this.at);
    const place = siblings.findIndex(({ id }) => id === this.at);
    const next = siblings[place + by];
    if (place >= 0 && next) await this.goTo(next.id);
  }

  /** Takes a move away with everything after it. */
  async remove(id: number): Promise<void> {
    const path = trees.pathTo(this.tree, this.at) ?? [];
    const isInside = path.some((node) => node.id === id);
    const at = isInside ? trees.parentOf(this.tree, id) : this.at;
    this.change(trees.remove(this.tree, id), at, `remove ${id}`);
    announce(m.analyse_deleted());
    await this.goTo(at);
    this.keep();
  }

  promote(id: number): void {
    this.change(trees.promote(this.tree, id), this.at, `promote ${id}`);
    this.keep();
  }

  makeMain(id: number): void {
    this.change(trees.makeMain(this.tree, id), this.at, `main ${id}`);
    this.keep();
  }

  comment(id: number, comment: string): void {
    this.change(trees.annotate(this.tree, id, { comment }), this.at, `comment ${id}`);
    this.keep();
  }

  /** Puts a sign behind a move, or takes it away if it is there. */
  sign(id: number, glyph: string): void {
    const known = trees.moveAt(this.tree, id)?.glyph;
    const changed = trees.annotate(this.tree, id, { glyph: known === glyph ? '' : glyph });
    this.change(changed, this.at, `sign ${id} ${glyph}`);
    this.keep();
  }

  async undo(): Promise<void> {
    const last = this.past.at(-1);
    if (last === undefined) return;
    this.future = [...this.future, { tree: this.tree, at: this.at, topic: last.topic }];
    this.past = this.past.slice(0, -1);
    await this.goBackTo(last);
  }

  async redo(): Promise<void> {
    const next = this.future.at(-1);
    if (next === undefined) return;
    this.past = [...this.past, { tree: this.tree, at: this.at, topic: next.topic }];
    this.future = this.future.slice(0, -1);
    await this.goBackTo(next);
  }

  private async goBackTo({ tree, at }: Moment): Promise<void> {
    this.tree = tree;
    await this.goTo(trees.has(tree, at) ? at : ROOT);
    this.keep();
  }

  /** Shows what the board would look like after some moves. */
  async preview(moves: readonly string[]): Promise<void> {
    const age = ++this.previewAge;
    const { game } = this.source;
    try {
      const { line } = await rules('line', { game, position: this.position, moves: [...moves] });
      const [after, before] = [line.at(-1), line.at(-2)];
      if (age !== this.previewAge || after === undefined) return;
      const [state, earlier] = await Promise.all([
        rules('state', { game, position: after.position }),
        rules('state', { game, position: before?.position ?? this.position }),
      ]);
      if (age !== this.previewAge) return;
      this.previewing = true;
      this.board.canMove = false;
      this.board.show(state);
      this.board.markLast(earlier.view);
    } catch {
      // What cannot be shown ahead of time is no loss.
    }
  }

  endPreview(): void {
    this.previewAge += 1;
    if (!this.previewing || this.shown === undefined) return;
    this.show(this.shownAt, this.shown.state, this.shown.before);
  }

  /** The analysis as a record. */
  async record(): Promise<string> {
    return rules('write', this.draft());
  }

  /** Gives it a name and keeps it. */
  rename(name: string): void {
    if (name.trim() === '') return;
    this.name = name.trim();
    this.keep();
  }

  /** Keeps what the engine thinks of a line. */
  keepCurve(moves: string[], values: number[]): void {
    this.curve = { moves, values };
    this.keep();
  }

  /**
   * Takes over what another tab has kept meanwhile. As everything here is kept at once, nothing is
   * lost; and what was here can be brought back with undo.
   */
  async adopt({ nodes, comment, name, curve, updated }: KeptAnalysis): Promise<void> {
    this.keptAt = updated;
    this.name = name;
    this.curve = curve;
    const isSame =
      comment === this.tree.comment &&
      JSON.stringify(nodes) === JSON.stringify(trees.toRecord(this.tree));
    if (isSame) return;
    const moves = trees.movesTo(this.tree, this.at);
    const tree = trees.fromRecord(nodes, comment);
    const place = trees.addLine(tree, ROOT, moves);
    this.change(tree, place.tree === tree ? place.id : ROOT, `adopt ${updated}`);
    // Without keeping it: two tabs would answer each other for ever.
    await this.goTo(this.at, { keep: false });
  }

  keep(): void {
    const { game, start, tags, end } = this.source;
    // Another tab has written something that this one has not heard of: both are kept.
    const theirs = this.kept === true ? lastKept(this.id) : undefined;
    const isOutdated = theirs !== undefined && theirs !== this.keptAt;
    if (isOutdated) {
      this.id = newId();
      this.isCopy = true;
    }
    const first = this.kept === undefined || isOutdated;
    this.name = this.title;
    const updated = Math.max(Date.now(), (this.keptAt ?? 0) + 1);
    this.kept = saveAnalysis({
      version: 1,
      id: this.id,
      name: this.name,
      game,
      start,
      tags,
      comment: this.tree.comment,
      nodes: trees.toRecord(this.tree),
      at: trees.movesTo(this.tree, this.at),
      ...(end === undefined ? {} : { end }),
      ...(this.curve === undefined ? {} : { curve: this.curve }),
      ...(this.board.turned ? { turned: true } : {}),
      updated,
    });
    if (this.kept) this.keptAt = updated;
    if (first && this.kept) this.onkept?.();
  }

  private draft() {
    const { game, start, tags, end } = this.source;
    const main = trees.mainLine(this.tree).map(({ move }) => move);
    // An end by resignation belongs to the moves that were played, not to what might have been.
    const isPlayed = end !== undefined && end.moves.join(' ') === main.join(' ');
    return {
      game,
      start,
      tags,
      comment: this.tree.comment,
      nodes: trees.toRecord(this.tree),
      ...(isPlayed ? { end: end.end } : {}),
    };
  }

  /** The name, or what it will be called when it is kept. */
  get title(): string {
    if (this.name !== '') return this.name;
    const date = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(Date.now());
    const names = this.source.tags.filter(([key]) => /^(red|blue|white|black)$/.test(key));
    const [one, other] = names.map(([, name]) => name);
    return one && other
      ? m.analyse_name_players({ one, other })
      : m.analyse_name({ game: GAMES[this.game].name, date });
  }

  private change(tree: Tree, at: number, topic: string): void {
    if (this.past.at(-1)?.topic !== topic || !topic.startsWith('comment')) {
      this.past = [...this.past, { tree: this.tree, at: this.at, topic }].slice(-MAX_UNDO);
    }
    this.future = [];
    this.tree = tree;
    this.at = at;
  }

  /** Something else than what is under way is to be shown: a new age begins. */
  private begin(): number {
    this.previewAge += 1;
    return ++this.age;
  }

  private show(
    at: number,
    state: State,
    before: State | undefined,
    steps: readonly Step[] = [],
  ): void {
    this.shown = { state, before };
    this.shownAt = at;
    this.previewing = false;
    this.notice = '';
    this.position = state.position;
    this.board.canMove = true;
    this.board.show(state, steps);
    if (before) this.board.markLast(before.view);
  }

  private tell(side: Side | undefined, move: string, state: State, before: number): void {
    const hasCaptured = this.board.tokens.length < before;
    announceMove(this.game, { side, move, state }, hasCaptured);
  }

  private fail(error: unknown): void {
    this.notice = m.failed_other({ message: failureWords(error) });
  }
}
