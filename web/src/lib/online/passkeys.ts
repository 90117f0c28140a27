/** Passkeys in the browser: making one for an account, and signing in with one. */
import { addPasskey, orderPasskey, passkeyChallenge, passkeySignIn } from './api';

/** Whether this browser can have passkeys for this page. They belong to a domain, never to a number. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext &&
  typeof PublicKeyCredential === 'function' &&
  !/^[\d.]+$|:/.test(location.hostname);

/** Somebody has closed the browser's dialog, or it took too long: nothing has gone wrong. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException &&
  (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Whether something was done; false if somebody has closed the browser's dialog. */
async function unlessCancelled(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (isCancelled(error)) return false;
    throw error;
  }
}

/** ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257] as const;

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

export function toText(buffer: ArrayBuffer): string {
  const letters = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Makes a passkey and adds it to the account; false if somebody thinks better of it. */
export const makePasskey = (password: string, label: string): Promise<boolean> =>
  unlessCancelled(() => make(password, label));

/** Signs in with the passkey that somebody chooses, of those with these ids or of all; false if they choose none. */
export const signInWithPasskey = (ids: readonly string[] = []): Promise<boolean> =>
  unlessCancelled(() => signIn(ids));

async function make(password: string, label: string): Promise<void> {
  const order = await orderPasskey(password);
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: toBytes(order.challenge),
      rp: { id: order.rp_id, name: 'Stoa' },
      user: {
        id: toBytes(order.user_id),
        name: order.user_name,
        displayName: order.user_name,
      },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: order.exclude.map((id) => ({ type: 'public-key', id: toBytes(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  });
  if (!(made instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
  const response = made.response as AuthenticatorAttestationResponse;
  await addPasskey({
    label,
    id: toText(made.rawId),
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.getAuthenticatorData()),
    public_key: toText(response.getPublicKey() ?? new ArrayBuffer(0)),
  });
}

async function signIn(ids: readonly string[]): Promise<void> {
  const { challenge, rp_id } = await passkeyChallenge();
  const chosen = await navigator.credentials.get({
    publicKey: {
      challenge: toBytes(challenge),
      rpId: rp_id,
      userVerification: 'required',
      allowCredentials: ids.map((id) => ({ type: 'public-key', id: toBytes(id) })),
    },
  });
  if (!(chosen instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
  const response = chosen.response as AuthenticatorAssertionResponse;
  await passkeySignIn({
    id: toText(chosen.rawId),
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.authenticatorData),
    signature: toText(response.signature),
  });
}
