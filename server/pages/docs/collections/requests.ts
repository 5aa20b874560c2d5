import { type Endpoint, endpointsOf, type OpenApiDocument, resolved } from '../document.ts';

/** Known values of a sandbox, for the variables of a collection; absent ones stay empty. */
export interface CollectionValues {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly tenantId?: string;
  readonly merchantId?: string;
  readonly adminEmail?: string;
  readonly adminPassword?: string;
}

/** A request of a collection. Values in `{{…}}` are variables. */
export interface CollectionRequest {
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** Path with its parameters as `:name`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean; readonly value: string }[];
  readonly body?: unknown;
  /** Statuses that the document lists; a response with any other is a fault. */
  readonly statuses: readonly number[];
  readonly id: string;
}

/** Returns the requests of a document, except those that send a file or end the session; the sign-in comes first, because its token is used by the others. */
export function requestsOf(document: OpenApiDocument): CollectionRequest[] {
  const requests = endpointsOf(document)
    .filter(({ operation }) => operation.requestBody === undefined || 'application/json' in operation.requestBody.content)
    .map((endpoint) => requestOf(document, endpoint));
  return requests.toSorted((one, other) => Number(other.id === SIGN_IN) - Number(one.id === SIGN_IN));
}

/** Operation whose response contains the access token. */
export const SIGN_IN = 'admin.login';

const TENANT = { 'X-Tenant-ID': '{{tenantId}}' };
const HEADERS = {
  public: { 'x-api-key': '{{apiKey}}', ...TENANT },
  sdk: { Authorization: 'Bearer {{apiKey}}' },
  admin: { Authorization: 'Bearer {{accessToken}}', ...TENANT },
} as const;

function requestOf(document: OpenApiDocument, { method, path, operation, surface }: Endpoint): CollectionRequest {
  const parameters = operation.parameters.map((parameter) => resolved(document, parameter));
  const credentials = surface === 'open' ? ('tenant' in (operation.security[0] ?? {}) ? TENANT : {}) : HEADERS[surface];
  const body = operation.requestBody?.content['application/json']?.example;
  const hasKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    id: operation.operationId,
    folder: operation.tags[0] ?? '',
    name: operation.summary,
    description: operation.description,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    headers: { ...credentials, ...(hasKey ? { 'Idempotency-Key': '{{$guid}}' } : {}) },
    pathValues: Object.fromEntries(
      parameters
        .filter(({ in: place }) => place === 'path')
        .map(({ name, example }) => [
          name,
          name === 'merchantId' || path.includes('merchants/{id}') ? '{{merchantId}}' : String(example ?? name),
        ]),
    ),
    query: parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ name, description = '', required, example }) => ({ name, description, isRequired: required, value: String(example ?? '') })),
    ...(body === undefined ? {} : { body: withCredentials(operation.operationId, body as Record<string, unknown>) }),
    statuses: Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status < 500),
  };
}

const SIGN_INS = new Set([SIGN_IN, 'admin.token', 'public.accessToken']);
/** Operations whose `password` is the caller's own. */
const CONFIRMED_BY_PASSWORD = new Set(['admin.makeRecoveryFile', 'admin.exchangeMasterKey']);

/** Returns a body with the variables for the email address and password of the caller in place of the examples. */
function withCredentials(id: string, body: Record<string, unknown>): Record<string, unknown> {
  if (SIGN_INS.has(id)) return { ...body, email: '{{adminEmail}}', password: '{{adminPassword}}' };
  const field = CONFIRMED_BY_PASSWORD.has(id) ? 'password' : 'currentPassword';
  return field in body ? { ...body, [field]: '{{adminPassword}}' } : body;
}
