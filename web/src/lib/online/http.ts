/**
 * Questions to the server over HTTP. Three things can go wrong, and each is a type: the server says
 * no, it cannot be reached, or there is none, because the page comes from a host of plain files.
 */

/** The server does not do what it was asked for. */
export class ServerRefused extends Error {
  constructor(
    readonly status: number,
    /** A word that programs can rely on. */
    readonly code: string,
    /** A sentence in English. */
    message: string,
    /** After how many seconds it makes sense to ask again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** The network or the server is not there just now. */
export class Unreachable extends Error {}

/** This page is not served by a Stoa server. */
export class NoServer extends Error {}

/** Answers that take longer are taken for lost. */
const REQUEST_TIMEOUT_MS = 15_000;

/** An address of the server; it lies beside the page, wherever that is. */
export const serverAddress = (path: string): URL => new URL(`api/${path}`, document.baseURI);

export async function ask<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: object = {},
): Promise<Answer> {
  const response = await send(method, path, body);
  if (response.status === 204) return undefined as Answer;
  // Hosts of plain files often answer every address with their first page.
  if (!isJson(response)) throw new NoServer(`no server answers at ${response.url}`);
  try {
    return (await response.json()) as Answer;
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

/** The same for answers that are not JSON. */
export async function askText(path: string): Promise<string> {
  const response = await send('GET', path, {});
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    throw new NoServer(`no server answers at ${response.url}`);
  }
  return response.text();
}

async function send(method: string, path: string, body: object): Promise<Response> {
  const init: RequestInit = {
    method,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    cache: 'no-store',
  };
  if (method !== 'GET') {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(serverAddress(path), init);
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (response.ok) return response;
  throw await refusalOf(response);
}

async function refusalOf(response: Response): Promise<Error> {
  const { status } = response;
  const told = isJson(response) ? await response.json().catch(() => undefined) : undefined;
  if (isRefusal(told)) {
    const wait = Number(response.headers.get('retry-after') ?? NaN);
    const retryAfter = Number.isFinite(wait) ? wait : undefined;
    return new ServerRefused(status, told.code, told.message, retryAfter);
  }
  // Proxies speak for a server that is away; other hosts know nothing of these addresses.
  if (status === 429 || status >= 500) return new Unreachable(`status ${status}`);
  return new NoServer(`status ${status} without a reason`);
}

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') ?? false;

function isRefusal(value: unknown): value is { code: string; message: string } {
  const refusal = value as { code?: unknown; message?: unknown } | null | undefined;
  return typeof refusal?.code === 'string' && typeof refusal.message === 'string';
}
