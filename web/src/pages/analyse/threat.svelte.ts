/**
 * What would be played if it were the other side's turn: the threat. Whether that can be at all, the
 * rules say, as for any position that is set up.
 */
import type { AskRules } from '$lib/rules';
import { otherSide, type Side } from '$lib/rules/protocol';
import { LiveLines } from './lines.svelte';

export interface Threatened {
  game: string;
  position: string;
  /** Whose turn it is. */
  side: Side;
}

export class Threat {
  readonly lines = new LiveLines();
  /** The position with the other side to move; `null` if there is no such thing. */
  position = $state<string | null | undefined>();
  private aim = '';

  constructor(private readonly rules: AskRules) {}

  /** Looks for the threat in a position, or rests. */
  follow(wanted: Threatened | null): void {
    const aim = wanted === null ? '' : JSON.stringify(wanted);
    if (aim === this.aim) return;
    this.aim = aim;
    this.position = undefined;
    this.lines.follow(null);
    if (wanted !== null) void this.begin(aim, wanted);
  }

  close(): void {
    this.follow(null);
    this.lines.close();
  }

  /** The move that is threatened, as far as it is known. */
  get move(): string | undefined {
    return this.lines.thought?.lines[0]?.moves[0];
  }

  private async begin(aim: string, { game, position, side }: Threatened): Promise<void> {
    const found = await this.otherTurn(game, position, otherSide(side)).catch(() => null);
    if (aim !== this.aim) return;
    this.position = found;
    if (found !== null) this.lines.follow({ game, position: found, lines: 1 });
  }

  private async otherTurn(game: string, setup: string, side: Side): Promise<string | null> {
    const edited = await this.rules('edit', { game, setup, changes: [{ side }] });
    if (edited.objections.length > 0) return null;
    const state = await this.rules('state', { game, position: edited.setup });
    return state.outcome === null && state.moves > 0 ? state.position : null;
  }
}
