/** An HTTPS request to a processor that reads. */
export interface HttpReading {
  readonly url: string;
  /** Value of the header of this name. */
  readonly authorization?: string;
  /** Time limit from the first byte sent to the last byte received, in milliseconds. */
  readonly timeoutMs: number;
}

/** An HTTPS request to a processor. */
export interface HttpRequest extends HttpReading {
  readonly contentType: string;
  readonly body: string;
}

/**
 * Result of an HTTP request. `not-sent` is certain: no byte of the request left (no address, refused, no TLS). After the first byte,
 * everything but a complete response is `lost`: the processor may have acted.
 */
export type HttpResponse =
  | { readonly kind: 'answered'; readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** HTTP client for processors, with bounded responses and pooled connections. Never throws. Reasons contain nothing of the request. */
export interface HttpClient {
  post(request: HttpRequest): Promise<HttpResponse>;
  get(request: HttpReading): Promise<HttpResponse>;
  close(): Promise<void>;
}
