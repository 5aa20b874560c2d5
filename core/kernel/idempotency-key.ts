/**
 * Idempotency-Key of one request. Keys are separate per credential.
 * `route` names the operation whose response is stored, so that recovery can render it after the process that took the request has stopped.
 */
export interface IdempotencyKey {
  /** Keyed hash of the key that was sent, which is never stored itself. */
  readonly key: string;
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
