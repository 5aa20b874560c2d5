export const HASHED_KEY_PREFIX = 'hmac:';

/**
 * Idempotency-Key of one request. Keys are separate per credential.
 * `route` names the operation whose response is stored, so that recovery can render it after the process that took the request has stopped.
 */
export interface IdempotencyKey {
  /** Keyed hash of the key that was sent, with HASHED_KEY_PREFIX. Only this is stored. */
  readonly key: string;
  /** The key as sent, with which rows of an older version are found. Absent if there cannot be such a row. */
  readonly sentKey?: string;
  readonly credentialId: string;
  readonly route: string;
  /** Keyed hash of method, path and body without the security code. */
  readonly fingerprint: string;
}

/** A response as it was sent. A request that repeats the key gets the same bytes. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}
