import type { Route } from '#server/http';

const header = (description: string, schema: object, isAlways = true) => ({ description, required: isAlways, schema });
const integer = { type: 'integer' };
const string = { type: 'string' };

/** Headers of responses, under `components/headers`. Those that are not required depend on the request, or on what happened. */
const RESPONSE_HEADERS = {
  'X-Request-Id': header('ID of the request in the logs of the server.', string),
  'Paydesk-Version': header('Version of the API.', string),
  'X-RateLimit-Limit': header('Requests of the narrowest limit; -1 without a limit.', integer),
  'X-RateLimit-Remaining': header('Requests that remain in it; -1 without a limit.', integer),
  'X-RateLimit-Reset': header('Time at which it ends, in seconds since the epoch.', integer),
  'Retry-After': header('Seconds after which the same request can be repeated.', integer),
  'Retry-After-Maybe': header(
    'Seconds after which the same request can be repeated; absent if repeating it has no effect.',
    integer,
    false,
  ),
  'Idempotent-Replayed': header('`true` for the stored response of an earlier request with the same Idempotency-Key.', string, false),
  ETag: header('Version of the content, for `If-None-Match`; absent below 2 KB.', string, false),
  Deprecation: header('Time since which the operation is deprecated (RFC 9745).', string),
  Sunset: header('Time until which the operation stays at least (RFC 8594).', string),
} as const;

/** Returns the headers that the responses of these routes have. */
export function headersOfAll(routes: readonly Route[]): object {
  const { Deprecation: _, Sunset: __, ...usual } = RESPONSE_HEADERS;
  return routes.some(({ deprecated }) => deprecated !== undefined) ? RESPONSE_HEADERS : usual;
}

const ALWAYS = ['X-Request-Id', 'Paydesk-Version', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
/** Errors with a time after which the request can be repeated, if it is known. */
const TEMPORARY = new Set([409, 503]);
const TOO_MANY = 429;
const NEVER_REPLAYED = new Set([400, 401, 413, TOO_MANY, 500, 503]);

/** Returns true if responses with this status can be stored under an Idempotency-Key: not those of a request that is refused before it runs. */
const isReplayed = (status: number) => !NEVER_REPLAYED.has(status);

/** Returns references to the headers of a response, by name. */
export function headersOf({ method, keyClaimedBy, deprecated }: Route, status: number): Record<string, { readonly $ref: string }> {
  const names: readonly (readonly [name: string, component?: string])[] = [
    ...ALWAYS.map((name) => [name] as const),
    ...(status === TOO_MANY ? [['Retry-After'] as const] : []),
    ...(TEMPORARY.has(status) ? [['Retry-After', 'Retry-After-Maybe'] as const] : []),
    ...(keyClaimedBy && isReplayed(status) ? [['Idempotent-Replayed'] as const] : []),
    ...(method === 'GET' && status < 300 ? [['ETag'] as const] : []),
    ...(deprecated ? [['Deprecation'] as const, ['Sunset'] as const] : []),
  ];
  return Object.fromEntries(names.map(([name, component = name]) => [name, { $ref: `#/components/headers/${component}` }]));
}
