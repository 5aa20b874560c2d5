/** A question to a processor over HTTPS. */
export interface WireRequest {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  /** From the first byte sent to the last one heard. */
  readonly timeoutMs: number;
}

/**
 * What came of it. `not-sent` is certain: no byte of the question left (no address, refused, no TLS). After the first byte, whatever is not a whole answer
 * is `lost`: the processor may have acted.
 */
export type WireAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** The way to the processors: one for the installation, with bounded answers and pooled connections. Never throws; reasons hold nothing of the question. */
export interface Wire {
  post(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}
