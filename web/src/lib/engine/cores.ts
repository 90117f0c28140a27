/** More engines at once would take more memory than a phone has to spare. */
const MAX_ENGINES = 4;
/** With less memory than this, in GiB, one engine is enough. Browsers that do not tell have it. */
const MIN_MEMORY = 4;

/** How many engines may work at once on so many cores, one of which is left to the page. */
export function enginesAtOnce(cores: number, memory?: number): number {
  if (memory !== undefined && memory < MIN_MEMORY) return 1;
  return Math.max(1, Math.min(MAX_ENGINES, (cores || 1) - 1));
}

/** The same for this device. */
export function enginesHere(): number {
  // Where pages are drawn before they are sent there is no navigator, and no engine either.
  const here = globalThis.navigator as (Navigator & { deviceMemory?: number }) | undefined;
  return enginesAtOnce(here?.hardwareConcurrency ?? 1, here?.deviceMemory);
}
