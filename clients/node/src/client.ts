import { ApprovalRequiredError, ConnectionError, DeclinedError, errorOf } from './errors.ts';
import { FILE_OPERATIONS, IDEMPOTENT_OPERATIONS } from './generated/operation-properties.ts';
import type { BodyArguments, DataOf, ItemOf, ListPath, Method, OptionArguments, PathOf } from './operations.ts';
import { type ErrorBody, PaydeskError } from './paydesk-error.ts';
import { pause, type RetryLimits, reconnectWaitMs, retryWaitMs } from './retry.ts';

/** Settings of a client. */
export interface PaydeskOptions {
  /** Address of the server, `http://127.0.0.1:4801` by default. */
  readonly baseUrl?: string;
  /** ID of the account (`ten_…`). The SDK surface needs none. */
  readonly tenantId?: string;
  /** API key for paths that start with `/public` or `/sdk`. */
  readonly apiKey?: string;
  /** Access token of a user for all other paths, or a function that returns a fresh one. `Paydesk.signIn` gets one. */
  readonly accessToken?: string | (() => string | Promise<string>);
  /** Retries after 429, 503, a 409 of a running request, and failed connections; 4 by default. */
  readonly retries?: number;
  /** Longest wait before one retry, in milliseconds; 30 seconds by default. */
  readonly retryWaitMsMax?: number;
  /** Time limit of one attempt in milliseconds, with its response; 60 seconds by default. */
  readonly timeoutMs?: number;
  /** Called with each received response, also with those of errors and of attempts that are repeated. */
  readonly onResponse?: (response: ResponseInfo) => void;
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options that `withOptions` can change. */
export type ChangeableOptions = Pick<PaydeskOptions, 'retries' | 'retryWaitMsMax' | 'timeoutMs' | 'onResponse'>;

/** A received response without its body. */
export interface ResponseInfo {
  readonly method: Method;
  /** Path of the operation, with its parameters in braces. */
  readonly path: string;
  readonly status: number;
  /** Value of the X-Request-Id header, under which the server's log and audit log have the request. */
  readonly requestId: string | null;
  /** True if this is the stored response of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
  /** Paths of the fields of the request that the operation does not have and ignored, such as `customer.nickname`. */
  readonly ignoredFields: readonly string[];
}

/** Credentials of a user without a second factor. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  readonly pagination: {
    readonly limit: number;
    readonly total: number;
    /** Number of the page; absent from lists that are read by cursor only, such as the event history. */
    readonly page?: number;
    /** Number of pages; absent like `page`. */
    readonly pages?: number;
    /** Value of `query.cursor` for the next page; null on the last page. */
    readonly nextCursor: string | null;
  };
}

interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: ErrorBody;
  readonly pagination?: Page<unknown>['pagination'];
}

interface AnyOptions {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly approvalReason?: string;
  readonly signal?: AbortSignal;
}

const DEFAULT_URL = 'http://127.0.0.1:4801';
const REFRESH_BEFORE_MS = 30_000;
const API_VERSION = '1';
/** Number of different warnings, which are kept so that each is given once. */
const WARNINGS_MAX = 1_000;

/**
 * Client of a Paydesk server. Every method returns `data` of the response, or a `File`. Errors, declines and operations that wait for an approval are
 * thrown as subclasses of `PaydeskError`. Each POST has an Idempotency-Key, which its retries repeat, so that nothing is charged twice.
 */
export class Paydesk {
  readonly #options: PaydeskOptions;
  readonly #baseUrl: string;
  readonly #limits: RetryLimits;

  constructor(options: PaydeskOptions) {
    this.#options = options;
    this.#baseUrl = (options.baseUrl ?? DEFAULT_URL).replace(/\/+$/, '');
    this.#limits = { retries: options.retries ?? 4, waitMsMax: options.retryWaitMsMax ?? 30_000 };
  }

  /**
   * Signs a user in and returns a client for the paths of signed-in users. The access token is renewed before it expires.
   * @throws InvalidCredentialsError for a wrong password, PaydeskError if the user has a second factor.
   */
  static async signIn({ email, password, ...options }: PaydeskOptions & SignIn): Promise<Paydesk> {
    const open = new Paydesk(options);
    const { tenantId } = options;
    const signedIn = await open.post('/public/accesstoken', { email, password, ...(tenantId === undefined ? {} : { tenantId }) });
    if (!('token' in signedIn))
      throw new PaydeskError({ code: 'SECOND_FACTOR_REQUIRED', message: 'This user has a second factor. Pass `accessToken`.' }, 200, null);
    let session = { ...signedIn, endsMs: Date.now() + signedIn.expiresIn * 1_000 };
    let renewal: Promise<void> | undefined;
    const renew = async () => {
      const renewed = await open.post('/public/refreshToken', { refreshToken: session.refreshToken });
      session = { ...renewed, endsMs: Date.now() + renewed.expiresIn * 1_000 };
    };
    const accessToken = async () => {
      if (Date.now() > session.endsMs - REFRESH_BEFORE_MS) {
        // A refresh token works once, so parallel requests share one renewal.
        renewal ??= renew().finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      return session.token;
    };
    return new Paydesk({ ...options, accessToken });
  }

  /** Returns a client with the same credentials and other options: `paydesk.withOptions({ timeoutMs: 5_000, retries: 0 }).get(…)`. */
  withOptions(options: ChangeableOptions): Paydesk {
    return new Paydesk({ ...this.#options, ...options });
  }

  /** Reads a record, a report or a file. */
  async get<P extends PathOf<'get'>>(path: P, ...[options]: OptionArguments<'get', P>): Promise<DataOf<'get', P>> {
    return resultOf(await this.#request('get', path, undefined, options)) as DataOf<'get', P>;
  }

  /**
   * Creates a record or runs an action. A file is a `Blob` or `File` among the fields of the body.
   * @throws DeclinedError if the payment or refund was declined, ApprovalRequiredError if a second person must approve the operation.
   */
  async post<P extends PathOf<'post'>>(path: P, ...[body, options]: BodyArguments<'post', P>): Promise<DataOf<'post', P>> {
    return resultOf(await this.#request('post', path, body, options)) as DataOf<'post', P>;
  }

  /** Changes a record. */
  async put<P extends PathOf<'put'>>(path: P, ...[body, options]: BodyArguments<'put', P>): Promise<DataOf<'put', P>> {
    return resultOf(await this.#request('put', path, body, options)) as DataOf<'put', P>;
  }

  /** Removes a record. A few operations require a `body` among the options, such as the password of the caller. */
  async delete<P extends PathOf<'delete'>>(path: P, ...[options]: OptionArguments<'delete', P>): Promise<DataOf<'delete', P>> {
    const { body } = (options ?? {}) as AnyOptions;
    return resultOf(await this.#request('delete', path, body, options)) as DataOf<'delete', P>;
  }

  /**
   * Iterates over all items of a list and requests the next page when it is needed.
   * @throws PaydeskError CURSOR_REPEATED if a page leads back to an earlier one, so that the list would never end.
   */
  async *list<P extends ListPath & PathOf<'get'>>(path: P, ...[options]: OptionArguments<'get', P>): AsyncGenerator<ItemOf<P>, void, void> {
    const given = (options ?? {}) as AnyOptions;
    const cursors = new Set<string>();
    for (let { query } = given; ; ) {
      const { items, pagination } = await this.#page<ItemOf<P>>(path, { ...given, query });
      yield* items;
      const { nextCursor: cursor } = pagination;
      if (cursor === null) return;
      if (cursors.has(cursor))
        throw new PaydeskError({ code: 'CURSOR_REPEATED', message: `The list ${path} returned the cursor ${cursor} again.` }, 200, null);
      cursors.add(cursor);
      query = { ...given.query, cursor };
    }
  }

  /** Returns one page of a list: by default the first one, otherwise that of `query.cursor` or `query.page`. */
  page<P extends ListPath & PathOf<'get'>>(path: P, ...[options]: OptionArguments<'get', P>): Promise<Page<ItemOf<P>>> {
    return this.#page(path, options);
  }

  async #page<Item>(path: string, options: object | undefined): Promise<Page<Item>> {
    const { data, pagination } = (await this.#request('get', path, undefined, options)) as Envelope;
    return { items: data as Item[], pagination: pagination as Page<Item>['pagination'] };
  }

  /** Returns the envelope of a response, or its file. */
  async #request(method: Method, path: string, body: unknown, given: object = {}): Promise<Envelope | File> {
    const options: AnyOptions = given;
    const url = urlOf(this.#baseUrl, path, options);
    const isFile = FILE_OPERATIONS.has(`${method} ${path}`);
    const isIdempotent = IDEMPOTENT_OPERATIONS.has(`${method} ${path}`);
    const isRepeatable = method !== 'post' || isIdempotent;
    const { approvalReason, signal } = options;
    const reason = approvalReason === undefined ? undefined : encodeURIComponent(approvalReason);
    const key = method === 'post' ? (options.idempotencyKey ?? globalThis.crypto.randomUUID()) : undefined;
    for (let attempt = 0; ; attempt += 1) {
      let waitMs: number | null;
      try {
        const response = await this.#send(method, url, path, body, { idempotencyKey: key, approvalReason: reason, signal });
        const { status, headers } = response;
        const requestId = headers.get('x-request-id');
        const ignoredFields = ignoredFieldsOf(headers);
        warnOfIgnored(method, path, ignoredFields);
        const isReplayed = headers.get('idempotent-replayed') === 'true';
        this.#options.onResponse?.({ method, path, status, requestId, isReplayed, ignoredFields });
        if (response.status >= 300 && response.status < 400)
          throw new ConnectionError(redirectMessage(this.#baseUrl, response), response.status, requestId);
        // After 503 the outcome of a change without a key is unknown.
        waitMs = status === 503 && !isRepeatable ? null : retryWaitMs(response, attempt, this.#limits);
        if (waitMs === null && isFile && response.ok) return await fileOf(response);
        if (waitMs === null) return accepted(await envelopeOf(response, requestId), status, requestId);
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof PaydeskError || options.signal?.aborted) throw error;
        waitMs = isRepeatable ? reconnectWaitMs(attempt, this.#limits) : null;
        if (waitMs === null) throw new ConnectionError(`Paydesk at ${this.#baseUrl} did not respond.`, 0, null, error);
      }
      await pause(waitMs, options.signal);
    }
  }

  async #send(
    method: Method,
    url: URL,
    path: string,
    body: unknown,
    { idempotencyKey, approvalReason, signal }: { [Name in 'idempotencyKey' | 'approvalReason' | 'signal']: AnyOptions[Name] | undefined },
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? 60_000);
    const send = this.#options.fetch ?? globalThis.fetch;
    const content = contentOf(body);
    return send(url, {
      method: method.toUpperCase(),
      headers: {
        'paydesk-version': API_VERSION,
        ...(await this.#credentials(path)),
        // `fetch` writes the content type of a form, which has its boundary.
        ...(typeof content === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(approvalReason === undefined ? {} : { 'paydesk-approval-reason': approvalReason }),
      },
      ...(content === undefined ? {} : { body: content }),
      // The target of a redirect may be a stranger, and `fetch` would send it the API key.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  }

  /** Returns the headers that the surface of a path requires. */
  async #credentials(path: string): Promise<Record<string, string>> {
    const { tenantId, apiKey, accessToken } = this.#options;
    if (path.startsWith('/sdk/')) return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const tenant: Record<string, string> = tenantId === undefined ? {} : { 'x-tenant-id': tenantId };
    if (path.startsWith('/public/')) return apiKey === undefined ? tenant : { ...tenant, 'x-api-key': apiKey };
    const token = typeof accessToken === 'function' ? await accessToken() : accessToken;
    return token === undefined ? tenant : { ...tenant, authorization: `Bearer ${token}` };
  }
}

function urlOf(baseUrl: string, path: string, { params, query }: AnyOptions): URL {
  const values = (params ?? {}) as Readonly<Record<string, unknown>>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    // Each of these would turn the path into that of another operation.
    if (['', '.', '..'].includes(value)) throw new TypeError(`The parameter \`${name}\` of ${path} is missing.`);
    return encodeURIComponent(value);
  });
  const url = new URL(`${baseUrl}/api/v1${filled}`);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

const ignoredFieldsOf = (headers: Headers): string[] =>
  (headers.get('paydesk-ignored-fields') ?? '').split(', ').filter(Boolean).map(decodeURIComponent);

const warned = new Set<string>();
/** Absent in browsers. */
const { process } = globalThis as { process?: { emitWarning(message: string, options: object): void } };

/** Warns once of each field of an operation that the server ignores: usually it is misspelled, or of another API. */
function warnOfIgnored(method: Method, path: string, fields: readonly string[]): void {
  for (const field of fields) {
    const message = `${method.toUpperCase()} ${path} ignored the field \`${field}\`, because it has no such field.`;
    if (warned.has(message) || warned.size >= WARNINGS_MAX) continue;
    warned.add(message);
    process?.emitWarning(message, { type: 'PaydeskWarning', code: 'IGNORED_FIELD' });
  }
}

const redirectMessage = (baseUrl: string, response: Response) =>
  `${baseUrl} answers with a redirect to ${response.headers.get('location')}, which is not followed. Set \`baseUrl\` to the address of the Paydesk server.`;

/** Returns the content of a request: JSON, or a form if a field is a file. The file follows the other fields, because the server reads them first. */
function contentOf(body: unknown): string | FormData | undefined {
  if (body === undefined || body instanceof FormData) return body;
  const fields = Object.entries(body as object).filter(([, value]) => value !== undefined);
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of fields)
    if (!(value instanceof Blob)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  for (const [name, value] of fields) if (value instanceof Blob) form.append(name, value);
  return form;
}

async function fileOf(response: Response): Promise<File> {
  const [, name = ''] = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const type = response.headers.get('content-type') ?? '';
  const content = new Uint8Array(await response.arrayBuffer());
  // The byte order mark of a CSV file is for spreadsheets.
  const isMarked = type.startsWith('text/csv') && content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  return new File([isMarked ? content.subarray(3) : content], name, { type });
}

async function envelopeOf(response: Response, requestId: string | null): Promise<Envelope> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Envelope;
  } catch (cause) {
    throw new ConnectionError('The response is not JSON. Check that `baseUrl` is a Paydesk server.', response.status, requestId, cause);
  }
}

/** Returns the envelope unless it is an error, a decline, or an operation that waits for an approval, which are thrown. */
function accepted(envelope: Envelope, status: number, requestId: string | null): Envelope {
  if (envelope.error !== undefined && (status >= 400 || envelope.success === false)) throw errorOf(envelope.error, status, requestId);
  if (envelope.success === false) throw new DeclinedError((envelope.data ?? {}) as Record<string, unknown>, status, requestId);
  if (status >= 400) throw new ConnectionError(`The server responded with status ${status}.`, status, requestId);
  const data = (envelope.data ?? envelope) as Record<string, unknown>;
  if (status === 202 && (data.approvalRequired === true || data.ApprovalRequired === true))
    throw new ApprovalRequiredError(data, requestId);
  return envelope;
}

const resultOf = (answer: Envelope | File): unknown => ('data' in answer && answer.success === true ? answer.data : answer);
