import { type Endpoint, endpointsOf, type OpenApiDocument, resolved } from '../document.ts';
import { reasonToSkip, SEND_ALL } from './skipped.ts';
import {
  CLEAN_UP,
  KEPT,
  type Kept,
  OWN_FIELDS,
  RECORD_SOURCES,
  type RecordSource,
  renamed,
  SIGN_IN,
  withRecords,
  withVariables,
} from './variables.ts';

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
  /** Status of the response if the request succeeds; any other is a fault. */
  readonly status: number;
  /** Variables that are set from the response. */
  readonly kept: Kept;
  readonly id: string;
  /** True if a run of the collection sends the request only if the variable `sendAll` is `true`. */
  readonly isSkipped: boolean;
  /** Name of the file, without its extension. */
  readonly file: string;
}

/** Folder whose requests set the variables of the others. */
const FIRST_FOLDER = 'Start here';
/** Folder whose requests remove what the first folder created and others would keep busy. */
const LAST_FOLDER = 'Clean up';

/**
 * Returns the requests of a document, except those that send a file: first the folder that signs in and sets the variables, then each operation in the folder
 * of its group, ordered so that all can be run, and last the folder that cleans up.
 */
export function requestsOf(document: OpenApiDocument): CollectionRequest[] {
  const endpoints = endpointsOf(document).filter(
    ({ operation }) => operation.requestBody === undefined || 'application/json' in operation.requestBody.content,
  );
  const sequence = (folder: string, sources: readonly RecordSource[]) =>
    sources.map((source, index) => ({ ...sourceOf(document, endpoints, source, index), folder }));
  const requests = endpoints.map((endpoint) =>
    requestOf(document, endpoint, (value) => withRecords(endpoint.operation.operationId, value)),
  );
  return [...sequence(FIRST_FOLDER, RECORD_SOURCES), ...requests.toSorted(byEffect), ...sequence(LAST_FOLDER, CLEAN_UP)];
}

/** Reads come first, then the requests that create a record, changes and other actions. Removals come last, the parts of a record before the record. */
const byEffect = (one: CollectionRequest, other: CollectionRequest): number => {
  const rank = rankOf(one) - rankOf(other);
  return rank === 0 && one.method === 'DELETE' ? other.path.length - one.path.length : rank;
};

const rankOf = ({ id, method }: CollectionRequest): number => {
  if (method === 'POST') return id in KEPT ? 1 : 3;
  return { GET: 0, PUT: 2 }[method] ?? 4;
};

/** Returns a request of the first or last folder. */
function sourceOf(
  document: OpenApiDocument,
  endpoints: readonly Endpoint[],
  source: RecordSource,
  index: number,
): Omit<CollectionRequest, 'folder'> {
  const { operation, query: own = {}, body, kept, records = {} } = source;
  const endpoint = endpoints.find((each) => each.operation.operationId === operation);
  if (endpoint === undefined) throw new Error(`There is no operation ${operation}.`);
  const request = requestOf(document, endpoint, (value) => renamed(withVariables(value), records));
  const query = request.query.map((each) => ({
    ...each,
    isRequired: each.isRequired || each.name in own,
    value: own[each.name] ?? each.value,
  }));
  const changed = body === undefined ? {} : { body: { ...(request.body as object), ...body } };
  return { ...request, ...changed, file: `${String(index + 1).padStart(2, '0')} ${operation}`, query, kept, isSkipped: false };
}

const TENANT = { 'X-Tenant-ID': '{{tenantId}}' };
const HEADERS = {
  public: { 'x-api-key': '{{apiKey}}', ...TENANT },
  sdk: { Authorization: 'Bearer {{apiKey}}' },
  admin: { Authorization: 'Bearer {{accessToken}}', ...TENANT },
} as const;

function requestOf(
  document: OpenApiDocument,
  { method, path, operation, surface }: Endpoint,
  fill: <Value>(value: Value) => Value,
): CollectionRequest {
  const parameters = operation.parameters.map((parameter) => resolved(document, parameter));
  const credentials = surface === 'open' ? ('tenant' in (operation.security[0] ?? {}) ? TENANT : {}) : HEADERS[surface];
  const body = operation.requestBody?.content['application/json']?.example;
  const reason = reasonToSkip(operation.operationId);
  const hint =
    reason === null
      ? ''
      : `\n\nA run of the collection skips this request, because it ${reason}. Set the variable \`${SEND_ALL}\` to \`true\` to send it.`;
  const hasKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    id: operation.operationId,
    file: operation.operationId,
    kept: KEPT[operation.operationId] ?? {},
    folder: operation.tags[0] ?? '',
    name: operation.summary,
    description: `${operation.description}${hint}`,
    isSkipped: reason !== null,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    headers: { ...credentials, ...(hasKey ? { 'Idempotency-Key': '{{$guid}}' } : {}) },
    pathValues: Object.fromEntries(
      parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, fill(String(example))]),
    ),
    query: parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ name, description = '', required, example }) => ({
        name,
        description,
        isRequired: required,
        value: fill(String(example ?? '')),
      })),
    ...(body === undefined
      ? {}
      : {
          body: { ...withCredentials(operation.operationId, fill(body as Record<string, unknown>)), ...OWN_FIELDS[operation.operationId] },
        }),
    status: Math.min(...Object.keys(operation.responses).map(Number)),
  };
}

const SIGN_INS = new Set([SIGN_IN, 'admin.token', 'public.accessToken']);

/** Returns a body with the variables for the email address and password of the caller in place of the examples. */
function withCredentials(id: string, body: Record<string, unknown>): Record<string, unknown> {
  if (SIGN_INS.has(id)) return { ...body, email: '{{adminEmail}}', password: '{{adminPassword}}' };
  return 'currentPassword' in body ? { ...body, currentPassword: '{{adminPassword}}' } : body;
}
