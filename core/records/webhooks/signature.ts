import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new endpoint secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return webhookSecretFrom(randomBytes(SECRET_BYTES));
}

/** Returns the secret with these bytes. */
export const webhookSecretFrom = (bytes: Buffer): string => PREFIX + bytes.toString('base64');

interface SignedDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** The current secret, and for a time after a rotation the previous one. */
  readonly secrets: readonly [string] | readonly [string, string];
  /** Time of the tenant's clock, which a sandbox may have moved ahead. */
  readonly tenantTime: string;
  /** Real time, because receivers compare the Standard Webhooks timestamp with their own clocks. */
  readonly nowMs: number;
}

/**
 * Returns the headers of a delivery. X-Service-Signature is the lowercase hexadecimal HMAC-SHA-256 of the body under the whole secret as text. The headers of Standard Webhooks 1.0 are sent as well; their key is the base64 part of the secret.
 */
export function signedHeaders(delivery: SignedDelivery): Record<string, string> {
  const [currentSecret, previousSecret] = delivery.secrets;
  const timestamp = String(Math.floor(delivery.nowMs / 1_000));
  const standardContent = `${delivery.eventId}.${timestamp}.${delivery.body}`;
  const standardSignatures = delivery.secrets.map((secret) => `v1,${hmac(keysOf(secret).bytes, standardContent, 'base64')}`).join(' ');
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Paydesk/1.0 (+webhooks)',
    'X-Service-Event': delivery.eventType,
    'X-Service-Delivery': delivery.deliveryId,
    'X-Service-Timestamp': delivery.tenantTime,
    'X-Service-Signature': hmac(keysOf(currentSecret).text, delivery.body, 'hex'),
    ...(previousSecret === undefined ? {} : { 'X-Service-Signature-Previous': hmac(keysOf(previousSecret).text, delivery.body, 'hex') }),
    'webhook-id': delivery.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignatures,
  };
}

interface Keys {
  /** Key of the contract's signature: the whole secret as text. */
  readonly text: KeyObject;
  /** Key of Standard Webhooks: the base64 part of the secret. */
  readonly bytes: KeyObject;
}

const KEYS_MAX = 1_000;
const keyCache = new Map<string, Keys>();

/** Returns the keys of a secret. They are cached, because creating them costs as much as signing. */
function keysOf(secret: string): Keys {
  const cachedKeys = keyCache.get(secret);
  if (cachedKeys) return cachedKeys;
  if (keyCache.size >= KEYS_MAX) keyCache.clear();
  const keys = { text: createSecretKey(secret, 'utf8'), bytes: createSecretKey(secret.slice(PREFIX.length), 'base64') };
  keyCache.set(secret, keys);
  return keys;
}

function hmac(key: KeyObject, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}
