/** Whether the page may share memory with its workers. */
export const isIsolated = globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function';
