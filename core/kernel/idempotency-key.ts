export const HASHED_KEY_PREFIX = 'hmac:';

/**
 * The Idempotency-Key of one request (decisions 2). Keys belong to a credential: the same text from another credential is another key.
 * `route` names the operation whose response is stored, so that recovery can render it after the process that took the request has stopped.
 */
export interface IdempotencyKey {
  /** Keyed hash of the key that was sent, with HASHED_KEY_PREFIX. Only this is stored. */
  readonly key: string;
  /** The key as it was sent, to find the row of a request that an older version took. Absent if none can exist. */
  readonly sentKey?: string;
  readonly credentialId: string;
  readonly route: string;
  /** Keyed hash of method, path and body without the security code. */
  readonly fingerprint: string;
}

/** An answer as it goes over the wire; what a repeated key gets back byte for byte. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}
