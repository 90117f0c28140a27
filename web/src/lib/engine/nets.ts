import { fetched, Once } from '$lib/once';

/** How long a question waits for a network; until it has come, the engine uses its terms. */
const NET_TIMEOUT_MS = 3000;

/**
 * The networks with which the engine judges positions. They are loaded when their game is first
 * thought about, and kept for use offline like everything else.
 */
export class Nets {
  private readonly nets = new Once(load);

  /** `addressOf` says where the network of a game is, if it has one. */
  constructor(private readonly addressOf: (game: string) => string | undefined) {}

  /** The network of a game; nothing if it has none, or if it cannot be had now. */
  async of(game: string): Promise<Uint8Array | undefined> {
    const address = this.addressOf(game);
    if (address === undefined) return undefined;
    const net = this.nets.get(address).catch((error: unknown) => {
      console.warn(`no network for ${game}: ${String(error)}`);
      return undefined;
    });
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), NET_TIMEOUT_MS);
    });
    return Promise.race([net, late]);
  }
}

async function load(address: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetched(address)).arrayBuffer());
}
