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

/** A request to a card reader in the local network. */
export interface ReaderRequest {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  readonly timeoutMs: number;
  /** Largest length of the response, in bytes. */
  readonly bytesMax: number;
  /** True if the reader may be a simulator on this computer; otherwise it must be in a private network. */
  readonly mayBeLocalhost: boolean;
  /** Root certificate in PEM that must have signed the certificate of the reader. Public authorities are not trusted. */
  readonly root: string;
  /** Returns true for the common name of the reader's certificate, which does not contain its address. */
  readonly isNamed: (commonName: string) => boolean;
  /** Called when the reader has proved its name, before the first byte of the request is sent. */
  readonly onConnected?: () => void;
}

/** HTTP client for processors, with bounded responses and pooled connections. Never throws. Reasons contain nothing of the request. */
export interface HttpClient {
  post(request: HttpRequest): Promise<HttpResponse>;
  get(request: HttpReading): Promise<HttpResponse>;
  /** Sends a request to a card reader in the local network, on a connection of its own. Absent for a client that reaches processors only. */
  postToReader?(request: ReaderRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}
