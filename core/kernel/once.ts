export const HASHED_KEY_PREFIX = 'hmac:';

/**
 * The Idempotency-Key of one request (decisions 2). Keys are the credential's own: the same text from another is another key.
 * `route` names the operation whose answer is kept, so that recovery can render it when the process that took the request is gone.
 */
export interface Once {
  /** Keyed hash of the key that was sent, with HASHED_KEY_PREFIX. Only this is stored. */
  readonly key: string;
  /** The key as it was sent, to find the row of a request that an older version took. Absent where none can exist. */
  readonly sentKey?: string;
  readonly credentialId: string;
  readonly route: string;
  /** Keyed hash of method, path and body without the security code. */
  readonly fingerprint: string;
}

/** An answer as it goes over the wire; what a repeated key gets back byte for byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}
