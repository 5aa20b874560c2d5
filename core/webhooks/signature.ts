import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret of an endpoint: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

interface Signed {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** The present secret, and after a rotation the one before. */
  readonly secrets: readonly [string] | readonly [string, string];
  /** The tenant's time, which a sandbox may have set ahead. */
  readonly tenantTime: string;
  /** Real time: receivers hold the Standard Webhooks timestamp against their own clocks. */
  readonly nowMs: number;
}

/**
 * Headers of a delivery. X-Service-Signature is the lowercase hexadecimal HMAC-SHA-256 of the body under the whole secret as text (specification
 * 6.2); beside it stand the headers of Standard Webhooks 1.0, whose key is the base64 part of the secret (decisions 8).
 */
export function signedHeaders(of: Signed): Record<string, string> {
  const [present, previous] = of.secrets;
  const timestamp = String(Math.floor(of.nowMs / 1_000));
  const stamped = `${of.eventId}.${timestamp}.${of.body}`;
  const standard = of.secrets.map((secret) => `v1,${hmac(keysOf(secret).bytes, stamped, 'base64')}`).join(' ');
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Paydesk/1.0 (+webhooks)',
    'X-Service-Event': of.eventType,
    'X-Service-Delivery': of.deliveryId,
    'X-Service-Timestamp': of.tenantTime,
    'X-Service-Signature': hmac(keysOf(present).text, of.body, 'hex'),
    ...(previous === undefined ? {} : { 'X-Service-Signature-Previous': hmac(keysOf(previous).text, of.body, 'hex') }),
    'webhook-id': of.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard,
  };
}

interface Keys {
  /** Key of the contract's signature: the whole secret as text. */
  readonly text: KeyObject;
  /** Key of Standard Webhooks: the base64 part of the secret. */
  readonly bytes: KeyObject;
}

const KEYS_MAX = 1_000;
const known = new Map<string, Keys>();

/** The keys of a secret, made once: making them costs as much as signing. */
function keysOf(secret: string): Keys {
  const kept = known.get(secret);
  if (kept) return kept;
  if (known.size >= KEYS_MAX) known.clear();
  const keys = { text: createSecretKey(secret, 'utf8'), bytes: createSecretKey(secret.slice(PREFIX.length), 'base64') };
  known.set(secret, keys);
  return keys;
}

function hmac(key: KeyObject, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}
