/**
 * The Idempotency-Key of one request (decisions 2). Keys are the credential's own: the same text from another is another key.
 * `route` names the operation whose answer is kept, so that recovery can render it when the process that took the request is gone.
 */
export interface Once {
  readonly key: string;
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
