import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, askText, NoServer, ServerRefused, Unreachable } from './http';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('document', { baseURI: 'https://example.net/some/where/' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  fetched.mockReset();
});

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = new Response(status === 204 ? null : text, {
    status,
    headers: { 'content-type': type, ...headers },
  });
  fetched.mockResolvedValue(response);
}

describe('a question to the server', () => {
  it('goes beside the page, and says what it carries', async () => {
    answer(200, { ok: 1 });
    expect(await ask('POST', 'me', { name: 'Zeno' })).toEqual({ ok: 1 });
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(String(address)).toBe('https://example.net/some/where/api/me');
    expect(init).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Zeno"}',
    });
  });
  it('may be answered with nothing', async () => {
    answer(204, '');
    expect(await ask('POST', 'account/logout')).toBeUndefined();
  });
  it('may be refused, with a reason and a time to wait', async () => {
    answer(429, { code: 'too_many', message: 'wait' }, { 'retry-after': '7' });
    const error = await ask('GET', 'me').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ServerRefused);
    expect(error).toMatchObject({ status: 429, code: 'too_many', message: 'wait', retryAfter: 7 });
  });
  it('may find no server: a page instead, or an error without a reason', async () => {
    answer(200, '<!doctype html>');
    await expect(ask('GET', 'me')).rejects.toBeInstanceOf(NoServer);
    answer(404, 'nothing');
    await expect(ask('GET', 'me')).rejects.toBeInstanceOf(NoServer);
    answer(200, '<!doctype html>');
    await expect(askText('me/export')).rejects.toBeInstanceOf(NoServer);
  });
  it('may not arrive', async () => {
    fetched.mockRejectedValue(new TypeError('failed'));
    await expect(ask('GET', 'me')).rejects.toBeInstanceOf(Unreachable);
    answer(502, 'a proxy');
    await expect(ask('GET', 'me')).rejects.toBeInstanceOf(Unreachable);
  });
});
