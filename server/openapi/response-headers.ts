import type { Route } from '#server/http';

const header = (description: string, schema: object, isAlways = true) => ({ description, required: isAlways, schema });
const integer = { type: 'integer' };
const string = { type: 'string' };

/** Headers of responses, under `components/headers`. Their short names make the document smaller, because every response refers to them. */
const RESPONSE_HEADERS = {
  request: header('ID of the request in the logs of the server.', string),
  version: header('Version of the API.', string),
  limit: header('Requests of the narrowest limit; -1 without a limit.', integer),
  remaining: header('Requests that remain in it; -1 without a limit.', integer),
  reset: header('Time at which it ends, in seconds since the epoch.', integer),
  retryAfter: header('Seconds after which the same request can be repeated.', integer),
  maybeRetryAfter: header('Seconds after which the same request can be repeated; absent if repeating it has no effect.', integer, false),
  replayed: header('`true` for the stored response of an earlier request with the same Idempotency-Key.', string, false),
  ignored: header(
    'Fields of the request that the operation does not have and ignored, such as `customer.nickname`: percent-encoded paths with commas between them; `...` stands for those beyond 1,000 characters.',
    string,
    false,
  ),
  etag: header('Version of the content, for `If-None-Match`; absent below 2 KB.', string, false),
  deprecation: header('Time since which the operation is deprecated (RFC 9745).', string),
  sunset: header('Time until which the operation stays at least (RFC 8594).', string),
} as const;
type Component = keyof typeof RESPONSE_HEADERS;

/** Returns the headers that the responses of these routes have. */
export function headersOfAll(routes: readonly Route[]): object {
  const { deprecation: _, sunset: __, ...usual } = RESPONSE_HEADERS;
  return routes.some(({ deprecated }) => deprecated !== undefined) ? RESPONSE_HEADERS : usual;
}

/** Headers of every response. To keep the document small, its introduction names them, and only refusals by a limit repeat them. */
const ALWAYS: Readonly<Record<string, Component>> = {
  'X-Request-Id': 'request',
  'Paydesk-Version': 'version',
  'X-RateLimit-Limit': 'limit',
  'X-RateLimit-Remaining': 'remaining',
  'X-RateLimit-Reset': 'reset',
};
/** Errors with a time after which the request can be repeated, if it is known. */
const TEMPORARY = new Set([409, 503]);
const TOO_MANY = 429;
/** Statuses of requests whose body is not read. */
const NEVER_READ = new Set([413, TOO_MANY]);
const NEVER_REPLAYED = new Set([400, 401, 413, TOO_MANY, 500, 503]);

/** Returns true if responses with this status can be stored under an Idempotency-Key: not those of a request that is refused before it runs. */
const isReplayed = (status: number) => !NEVER_REPLAYED.has(status);

/** Returns the headers of a response by name: references to those of many routes, and the headers that only this route has. */
export function headersOf({ method, keyClaimedBy, deprecated, headers = {} }: Route, status: number): Record<string, object> {
  const components: Readonly<Record<string, Component>> = {
    ...(status === TOO_MANY && ALWAYS),
    ...(status === TOO_MANY && { 'Retry-After': 'retryAfter' }),
    ...(TEMPORARY.has(status) && { 'Retry-After': 'maybeRetryAfter' }),
    ...(keyClaimedBy && isReplayed(status) && { 'Idempotent-Replayed': 'replayed' }),
    ...(method !== 'GET' && !NEVER_READ.has(status) && { 'Paydesk-Ignored-Fields': 'ignored' }),
    ...(method === 'GET' && status < 300 && { ETag: 'etag' }),
    ...(deprecated && { Deprecation: 'deprecation', Sunset: 'sunset' }),
  };
  const shared = Object.entries(components).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }] as const);
  const own = status < 300 ? Object.entries(headers).map(([name, description]) => [name, header(description, string)] as const) : [];
  return Object.fromEntries([...shared, ...own]);
}
