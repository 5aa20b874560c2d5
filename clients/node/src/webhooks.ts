import type { webhooks } from './generated/api-types.ts';

type PayloadOf<Type extends keyof webhooks> = webhooks[Type]['post'] extends { requestBody?: infer Request }
  ? NonNullable<Request> extends { content: { 'application/json': infer Payload } }
    ? Omit<Payload, 'type'> & { readonly type: Type }
    : never
  : never;

/** An event of one type, with its payload. */
export type WebhookEventOf<Type extends keyof webhooks> = PayloadOf<Type>;
/** An event of any type; `type` determines the fields of `data`. */
export type WebhookEvent = { [Type in keyof webhooks]: WebhookEventOf<Type> }[keyof webhooks];
/** Headers of a delivery: of the Fetch API, or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Thrown if a request is not a genuine delivery. Respond with 401 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const SECRET_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/**
 * Returns the event of a delivery after checking its signature (Standard Webhooks 1.0). The body must be the received bytes or text, not a parsed
 * object. `toleranceSeconds` is the greatest accepted age, and protects against a recorded delivery that is sent again.
 * @throws WebhookVerificationError if the headers are incomplete, the signature is wrong or the delivery is too old.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('The headers webhook-id, webhook-timestamp and webhook-signature are required.');
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(`The delivery is not within ${toleranceSeconds} seconds of the present time.`);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, secret)))
    throw new WebhookVerificationError('The signature does not match the body.');
  return JSON.parse(text) as WebhookEvent;
}

/** Returns true if one of the signatures is genuine. A delivery has two while a secret is being replaced. */
async function isSigned(content: string, signatures: string, secret: string): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', keyBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const bytes = new TextEncoder().encode(content);
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : null;
    if (given !== null && (await subtle.verify('HMAC', key, given, bytes))) return true;
  }
  return false;
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0) throw new WebhookVerificationError('The secret must be the `whsec_…` text of the endpoint.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}
