import { ConnectionError, DeclinedError, errorOf } from './errors.ts';
import { IDEMPOTENT_OPERATIONS } from './idempotent-operations.ts';
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
  /** Time limit of one attempt in milliseconds; 60 seconds by default. */
  readonly timeoutMs?: number;
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
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
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly pages: number;
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

/** A response that is not an error, before its envelope is removed. */
interface Answer {
  readonly envelope: Envelope;
  readonly status: number;
  readonly requestId: string | null;
}

interface AnyOptions {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

const DEFAULT_URL = 'http://127.0.0.1:4801';
const REFRESH_BEFORE_MS = 30_000;

/**
 * Client of a Paydesk server. Every method returns `data` of the response; errors and declines are thrown as subclasses of `PaydeskError`. Each change
 * has an Idempotency-Key, which its retries repeat, so that nothing is charged twice.
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

  /** Reads a record or a report. */
  async get<P extends PathOf<'get'>>(path: P, ...[options]: OptionArguments<'get', P>): Promise<DataOf<'get', P>> {
    return resultOf(await this.#request('get', path, undefined, options)) as DataOf<'get', P>;
  }

  /** Creates a record or runs an action. @throws DeclinedError if the payment or refund was declined. */
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

  /** Iterates over all items of a list and requests the next page when it is needed. */
  async *list<P extends ListPath & PathOf<'get'>>(path: P, ...[options]: OptionArguments<'get', P>): AsyncGenerator<ItemOf<P>, void, void> {
    let next: Record<string, string> = {};
    for (;;) {
      const query = { ...(options as AnyOptions | undefined)?.query, ...next };
      const { items, pagination } = await this.#page<ItemOf<P>>(path, { ...options, query });
      yield* items;
      if (pagination.nextCursor !== null) next = { cursor: pagination.nextCursor };
      else if (pagination.page < pagination.pages && next.cursor === undefined) next = { page: String(pagination.page + 1) };
      else return;
    }
  }

  /** Returns one page of a list: by default the first one, otherwise that of `query.cursor` or `query.page`. */
  page<P extends ListPath & PathOf<'get'>>(path: P, ...[options]: OptionArguments<'get', P>): Promise<Page<ItemOf<P>>> {
    return this.#page(path, options);
  }

  async #page<Item>(path: string, options: object | undefined): Promise<Page<Item>> {
    const { envelope } = await this.#request('get', path, undefined, options);
    const items = envelope.data as Item[];
    return { items, pagination: envelope.pagination ?? { page: 1, limit: items.length, total: items.length, pages: 1, nextCursor: null } };
  }

  async #request(method: Method, path: string, body: unknown, given: object = {}): Promise<Answer> {
    const options: AnyOptions = given;
    const url = urlOf(this.#baseUrl, path, options);
    const isIdempotent = IDEMPOTENT_OPERATIONS.has(`${method} ${path}`);
    const isRepeatable = method !== 'post' || isIdempotent;
    const key = method === 'post' ? (options.idempotencyKey ?? globalThis.crypto.randomUUID()) : undefined;
    for (let attempt = 0; ; attempt += 1) {
      let waitMs: number | null;
      try {
        const response = await this.#send(method, url, path, body, key, options.signal);
        const requestId = response.headers.get('x-request-id');
        if (response.status >= 300 && response.status < 400)
          throw new ConnectionError(redirectMessage(this.#baseUrl, response), response.status, requestId);
        // After 503 the outcome of a change without a key is unknown.
        waitMs = response.status === 503 && !isRepeatable ? null : retryWaitMs(response, attempt, this.#limits);
        if (waitMs === null) return accepted(await envelopeOf(response, requestId), response.status, requestId);
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof PaydeskError || options.signal?.aborted) throw error;
        waitMs = isRepeatable ? reconnectWaitMs(attempt, this.#limits) : null;
        if (waitMs === null) throw new ConnectionError(`Paydesk at ${this.#baseUrl} did not respond.`, 0, null, error);
      }
      await pause(waitMs, options.signal);
    }
  }

  async #send(method: Method, url: URL, path: string, body: unknown, key: string | undefined, signal?: AbortSignal): Promise<Response> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? 60_000);
    const send = this.#options.fetch ?? globalThis.fetch;
    return send(url, {
      method: method.toUpperCase(),
      headers: {
        ...(await this.#credentials(path)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));
  const url = new URL(`${baseUrl}/api/v1${filled}`);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

const redirectMessage = (baseUrl: string, response: Response) =>
  `${baseUrl} answers with a redirect to ${response.headers.get('location')}, which is not followed. Set \`baseUrl\` to the address of the Paydesk server.`;

async function envelopeOf(response: Response, requestId: string | null): Promise<Envelope> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Envelope;
  } catch (cause) {
    throw new ConnectionError('The response is not JSON. Check that `baseUrl` is a Paydesk server.', response.status, requestId, cause);
  }
}

/** Returns the answer unless it is an error or a decline, which is thrown. */
function accepted(envelope: Envelope, status: number, requestId: string | null): Answer {
  if (envelope.error !== undefined && (status >= 400 || envelope.success === false)) throw errorOf(envelope.error, status, requestId);
  if (envelope.success === false) throw new DeclinedError((envelope.data ?? {}) as Record<string, unknown>, status, requestId);
  if (status >= 400) throw new ConnectionError(`The server responded with status ${status}.`, status, requestId);
  return { envelope, status, requestId };
}

const resultOf = ({ envelope }: Answer): unknown => (envelope.success === true && 'data' in envelope ? envelope.data : envelope);
