/** JSON schema of the OpenAPI document. */
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly 'x-permission'?: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of an OpenAPI document that tools are made of. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** A tool for an agent: one operation of the Public surface. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Path without `/api/v1`, with its parameters in braces. */
  readonly path: string;
  readonly permission: string;
  /** True if the operation changes something. */
  readonly isWrite: boolean;
  /** True if the operation returns a list with pages. */
  readonly isList: boolean;
  readonly isIdempotent: boolean;
  /** True if a refund without `amount` returns all that remains, which an agent has to ask for with `full`. */
  readonly isOpenRefund: boolean;
  /** Name of the argument with the path of a file, whose content is sent. */
  readonly file: string | undefined;
  /** Names of the arguments by the place in which the request has them. */
  readonly places: Readonly<Record<'path' | 'query' | 'body', readonly string[]>>;
  /** Schema of the arguments. Each property is the schema of the route's own field. */
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
}

const PREFIX = '/api/v1';
const IDEMPOTENCY_KEY: Schema = {
  type: 'string',
  maxLength: 255,
  description:
    'By default, a repeated call with the same arguments has no further effect. To do the same once more, pass a new ID of the task, such as an order number.',
};
const APPROVAL_REASON: Schema = {
  type: 'string',
  maxLength: 200,
  description: 'Reason that the approver sees if the operation needs an approval.',
};
const FULL: Schema = { type: 'boolean', description: '`true` refunds all that remains. Required without `amount`.' };
const DETAILS: Schema = {
  type: 'boolean',
  description: '`true` returns records with all of their fields. By default, lists have short records without empty fields.',
};
const FILE: Schema = { type: 'string', description: 'Path of the file on this computer.' };

/**
 * Returns a tool for each operation of the Public surface that takes no card or account number. An operation with such a field of its own is left out;
 * of other operations, optional objects with such fields are left out. Cards are charged by token or payment link only.
 */
export function toolsOf(document: OpenApi): Tool[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/public/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => toolOf(document, path, method as Tool['method'], operation)),
    )
    .filter((tool) => tool !== null);
}

function toolOf(document: OpenApi, fullPath: string, method: Tool['method'], operation: Operation): Tool | null {
  const { operationId, summary, description } = operation;
  const parameters = parametersOf(document, operation);
  const permission = operation['x-permission'];
  // A change without a permission concerns the credential only.
  if (permission === undefined || (permission === 'session' && method !== 'get')) return null;
  // An agent that follows a text of a stranger could send all events to the stranger's server.
  if (permission === 'webhooks:write') return null;
  const content = operation.requestBody?.content ?? {};
  const form = content['multipart/form-data']?.schema;
  const file = Object.entries(form?.properties ?? {}).find(([, field]) => field.contentMediaType !== undefined)?.[0];
  const body = fieldsOf(document, form ?? content['application/json']?.schema);
  if (body === null) return null;
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const isIdempotent = named('header').some(({ name }) => name === 'Idempotency-Key');
  const isApprovable = named('header').some(({ name }) => name === 'Paydesk-Approval-Reason');
  const isOpenRefund = permission.includes('refund') && 'amount' in body.properties && !body.required.includes('amount');
  const isPaged = isList(document, operation);
  const properties = {
    ...Object.fromEntries(
      [...named('path'), ...named('query')].map(({ name, schema, description: text }) => [name, { ...schema, description: text }]),
    ),
    ...body.properties,
    ...(file === undefined ? {} : { [file]: FILE }),
    ...(isOpenRefund ? { full: FULL } : {}),
    ...(isPaged ? { details: DETAILS } : {}),
    ...(isIdempotent ? { idempotencyKey: IDEMPOTENCY_KEY } : {}),
    ...(isApprovable ? { approvalReason: APPROVAL_REASON } : {}),
  };
  const required = [
    ...parameters.filter((parameter) => parameter.required && parameter.in !== 'header').map(({ name }) => name),
    ...body.required,
  ];
  const names = (place: string) => named(place).map(({ name }) => name);
  return {
    name: operationId.replace(/^public\./, ''),
    description: [summary, description].filter(Boolean).join('. '),
    method,
    path: fullPath.slice(PREFIX.length),
    permission,
    // Permissions such as `tenders:refund` and `queued-payments:release` change something too.
    isWrite: permission !== 'session' && !permission.endsWith(':read') && !permission.endsWith(':export'),
    isList: isPaged,
    isIdempotent,
    isOpenRefund,
    file,
    places: { path: names('path'), query: names('query'), body: Object.keys(body.properties).filter((name) => name !== file) },
    inputSchema: withDefinitions(document, { type: 'object', properties, required, additionalProperties: false }),
  };
}

/** Returns the parameters of an operation; those that operations share are components of the document. */
function parametersOf({ components }: OpenApi, { parameters }: Operation): Parameter[] {
  return parameters.flatMap((parameter) => ('$ref' in parameter ? (components.parameters[nameOf(parameter.$ref)] ?? []) : parameter));
}

/** Returns the fields of a body without those of cards and accounts; null if the body needs one. */
function fieldsOf(document: OpenApi, body: Schema | undefined): { properties: Record<string, Schema>; required: readonly string[] } | null {
  const { properties = {}, required = [] } = resolved(document, body ?? {});
  const entries = Object.entries(properties);
  const isProtected = ([, field]: [string, Schema]) => resolved(document, field)['x-not-free-text'] === 'protected';
  if (entries.some(isProtected)) return null;
  const containing = entries.filter(([, field]) => containsProtected(document, field)).map(([name]) => name);
  if (containing.some((name) => required.includes(name))) return null;
  return { properties: Object.fromEntries(entries.filter(([name]) => !containing.includes(name))), required };
}

function containsProtected(document: OpenApi, schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const found = resolved(document, schema as Schema);
  const mark = found['x-not-free-text'];
  return mark === 'protected' || mark === 'security-code' || Object.values(found).some((part) => containsProtected(document, part));
}

function isList(document: OpenApi, { responses }: Operation): boolean {
  const { $ref } = responses['200'] ?? {};
  const success = $ref === undefined ? responses['200'] : document.components.responses[nameOf($ref)];
  const answer = resolved(document, success?.content?.['application/json']?.schema ?? {});
  return answer.properties?.pagination !== undefined;
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

function resolved(document: OpenApi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(document, document.components.schemas[nameOf(schema.$ref)] ?? {});
}

/** Returns a schema that contains the named schemas that it refers to. */
function withDefinitions(document: OpenApi, schema: Tool['inputSchema']): Tool['inputSchema'] {
  const $defs: Record<string, unknown> = {};
  const refer = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(refer);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref } = part as Schema;
    if (typeof $ref === 'string') {
      const name = nameOf($ref);
      if (!(name in $defs)) {
        $defs[name] = null;
        $defs[name] = refer(document.components.schemas[name]);
      }
      return { $ref: `#/$defs/${name}` };
    }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, refer(value)]));
  };
  const complete = refer(schema) as Tool['inputSchema'];
  return Object.keys($defs).length === 0 ? complete : { ...complete, $defs };
}

const areaOf = ({ permission }: Tool): string => permission.slice(0, permission.indexOf(':'));

/** Capabilities of the key that decide which tools are offered. */
interface KeyRights {
  readonly environment: 'sandbox' | 'live';
  readonly permissions: readonly string[];
  readonly spendingLimits: { readonly liveWrites: boolean } | null;
}

/**
 * Returns the tools that a key may use: those that read, by the permissions of the key, and those that write in the areas that the operator allows.
 * @throws Error if an area does not exist, if writing is allowed for a key without spending limits, or on a live account for a key whose limits exclude it.
 */
export function allowedTools(tools: readonly Tool[], key: KeyRights, areas: readonly string[]): Tool[] {
  if (areas.length > 0 && key.spendingLimits === null)
    throw new Error('This API key has no spending limits. Set them on the API keys screen before you allow changes.');
  if (areas.length > 0 && key.environment === 'live' && key.spendingLimits?.liveWrites !== true)
    throw new Error('The spending limits of this API key exclude changes on a live account.');
  const known = new Set(tools.filter(({ isWrite }) => isWrite).map(areaOf));
  const unknown = areas.find((area) => !known.has(area));
  if (unknown !== undefined)
    throw new Error(`There is no area \`${unknown}\` with tools for changes. Areas: ${[...known].toSorted().join(', ')}.`);
  const permissions = new Set([...key.permissions, 'session']);
  return tools.filter((tool) => permissions.has(tool.permission) && (!tool.isWrite || areas.includes(areaOf(tool))));
}
