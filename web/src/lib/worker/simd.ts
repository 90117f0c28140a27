/**
 * A module with a single function, `() => i8x16.splat(0)`: valid where WebAssembly has vector instructions. The service
 * worker has a copy of this list (`build/offline.ts`).
 */
export const VECTOR_PROBE = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // Its type: nothing to a vector.
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  ...[0x03, 0x02, 0x01, 0x00],
  // Its code: i32.const 0, i8x16.splat, end.
  ...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b],
];

/** Whether this browser has vector instructions. */
export const hasVectors = () => WebAssembly.validate(new Uint8Array(VECTOR_PROBE));
