import { describe, expect, it } from 'vitest';
import { isCancelled, toBytes, toText } from './passkeys';

describe('bytes as text', () => {
  it('go there and back, with letters that addresses may have', () => {
    const bytes = Uint8Array.from([0, 251, 255, 62, 63, 7]);
    const text = toText(bytes.buffer);
    expect(text).toBe('APv_Pj8H');
    expect([...toBytes(text)]).toEqual([...bytes]);
    expect([...toBytes('_-8')]).toEqual([255, 239]);
    expect(toText(new ArrayBuffer(0))).toBe('');
  });
});

it('a dialog that was closed is no failure', () => {
  expect(isCancelled(new DOMException('', 'NotAllowedError'))).toBe(true);
  expect(isCancelled(new DOMException('', 'SecurityError'))).toBe(false);
  expect(isCancelled(new Error('NotAllowedError'))).toBe(false);
});
