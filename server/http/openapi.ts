import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { ERRORS, type ErrorCode } from '#core/kernel';
import { WEBHOOK_TAG, webhooksOf } from './openapi-webhooks.ts';
import { type Route, type Surface, statusOf, urlOf } from './route.ts';
import { VERSION } from './version.ts';

type Json = Record<string, unknown>;

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key within 24 hours gets the first response byte for byte and has no further effect. Only a keyed hash of the key is stored. A key that contains a card number is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const SECURITY: Readonly<Record<Surface, readonly Json[]>> = {
  public: [{ apiKey: [], tenant: [] }],
  admin: [{ accessToken: [], tenant: [] }],
  sdk: [{ sdkKey: [] }],
  open: [],
};

/** Error codes that every route of a surface may return. */
const COMMON: Readonly<Record<Surface, readonly ErrorCode[]>> = {
  public: ['TENANT_REQUIRED', 'TENANT_NOT_FOUND', 'UNAUTHORIZED', 'PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
  admin: [
    'TENANT_REQUIRED',
    'TENANT_NOT_FOUND',
    'UNAUTHORIZED',
    'TOKEN_INVALID',
    'TOKEN_EXPIRED',
    'FORBIDDEN',
    'PERMISSION_DENIED',
    'RATE_LIMIT_EXCEEDED',
    'DAILY_LIMIT_EXCEEDED',
  ],
  sdk: ['UNAUTHORIZED', 'PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
  open: ['RATE_LIMIT_EXCEEDED'],
};
/** Status for a body, or a part of a form, that exceeds its limit. */
const TOO_LARGE = 413;
const COMMON_TO_ALL: readonly ErrorCode[] = ['INTERNAL_ERROR', 'DATABASE_ERROR', 'SERVICE_UNAVAILABLE'];

/** Parts of the document that operations refer to by name. */
interface Components {
  readonly schemas: Map<string, Json>;
  readonly responses: Map<string, Json>;
}

/**
 * Returns the OpenAPI 3.1 document of every route, made from the declarations that the server runs. A schema with a name is under `components/schemas`;
 * error responses are under `components/responses`, named after their status and codes.
 * @throws Error if two different schemas have the same name.
 */
export function openApiDocument(routes: readonly Route[]): Json {
  const components: Components = { schemas: new Map([['Error', ERROR_SCHEMA]]), responses: new Map() };
  const paths: Record<string, Json> = {};
  for (const declared of routes) {
    const url = urlOf(declared).replace(/:(\w+)/g, '{$1}');
    paths[url] = { ...paths[url], [declared.method.toLowerCase()]: refer(operation(declared, components), components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paydesk payment API',
      version: VERSION,
      description:
        'Card and bank payments on this computer. Amounts are decimal numbers on the Public and Admin surfaces and strings on the SDK surface. Card numbers are accepted in card fields only; in any other field they are refused with VALIDATION_ERROR and `details.reason` `card_number_in_text`. Unknown query parameters are refused with VALIDATION_ERROR.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...routes.map((declared) => declared.tag), WEBHOOK_TAG])].map((name) => ({ name })),
    paths,
    webhooks: refer(webhooksOf(), components),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant-ID' },
        serviceKey: { type: 'apiKey', in: 'header', name: 'x-internal-service-key' },
        sdkKey: { type: 'http', scheme: 'bearer', description: 'the API key itself' },
      },
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      examples: ERROR_EXAMPLES,
    },
  };
}

/** Returns a copy of a part of the document in which each named schema is a reference; adds the named schemas to the components. */
function refer<Part>(part: Part, components: Components): Part {
  if (Array.isArray(part)) return part.map((each) => refer(each, components)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, refer(value, components)]));
  const { title } = part as { title?: unknown };
  if (typeof title !== 'string') return copy as Part;
  const known = components.schemas.get(title);
  if (known === undefined) components.schemas.set(title, copy);
  else if (!isDeepStrictEqual(known, copy)) throw new Error(`Two different schemas are named ${title}.`);
  return { $ref: `#/components/schemas/${title}` } as Part;
}

function sorted(parts: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...parts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const ERROR_EXAMPLES = Object.fromEntries(
  Object.keys(ERRORS).map((code) => [code, { value: { success: false, error: { code, message: 'Description of the error.' } } }]),
);

const ERROR_SCHEMA = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        field: { type: 'string', description: 'name of the faulty field, as sent' },
        details: { type: 'object' },
      },
    },
  },
};

function operation(declared: Route, components: Components): Json {
  const { surface, body } = declared;
  const parameters = [
    ...(declared.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ...fields(declared.params, 'path'),
    ...fields(declared.query, 'query'),
  ];
  return {
    operationId: declared.id,
    tags: [declared.tag],
    summary: declared.summary,
    ...(declared.description ? { description: declared.description } : {}),
    ...(declared.permission ? { 'x-permission': declared.permission, 'x-scope': declared.scope } : {}),
    ...(declared.live ? { 'x-live-permission': declared.live } : {}),
    security: declared.namesTenant
      ? [{ tenant: [] }]
      : [...SECURITY[surface], ...(declared.serviceKey ? [{ serviceKey: [], tenant: [] }] : [])],
    parameters,
    ...(body ? { requestBody: { required: (body.required ?? []).length > 0, content: { 'application/json': { schema: body } } } } : {}),
    ...(declared.upload ? { requestBody: form(declared.upload) } : {}),
    responses: {
      [statusOf(declared)]: {
        description: 'Success',
        content: { [declared.contentType ?? 'application/json']: { schema: declared.response } },
      },
      ...errorResponses(declared, components),
    },
  };
}

/** Returns the request body of a form with a file; objects among its fields are sent as JSON. */
function form({ file, fields }: NonNullable<Route['upload']>): Json {
  const properties = { [file]: { type: 'string', contentMediaType: 'application/octet-stream' }, ...fields.properties };
  const schema = { type: 'object', required: [file, ...((fields.required ?? []) as readonly string[])], properties };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function fields(schema: TObject | undefined, where: 'path' | 'query'): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || ((schema?.required ?? []) as readonly string[]).includes(name),
    schema:
      where === 'query' && INTEGER_PARAMETERS.has(name)
        ? { type: 'integer', minimum: 1, description: (field as { description?: string }).description }
        : field,
  }));
}

/** Query parameters are validated as texts; these are documented as whole numbers. */
const INTEGER_PARAMETERS = new Set(['page', 'limit']);

const isTenantWideChange = ({ method, scope }: Route) => method !== 'GET' && (scope === 'tenant' || scope === 'installation');

/** Returns the error codes of the fields of a schema, at any depth. */
function codesOf(schema: unknown): ErrorCode[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { 'x-error-code': code } = schema as { 'x-error-code'?: ErrorCode };
  return [...(code === undefined ? [] : [code]), ...Object.values(schema).flatMap(codesOf)];
}

/** Returns references to the error responses of a route, by status; adds the responses to the components. */
function errorResponses(declared: Route, { responses }: Components): Json {
  const hasInput = declared.body !== undefined || declared.upload !== undefined || (declared.query?.required ?? []).length > 0;
  const input: ErrorCode[] = hasInput ? ['VALIDATION_ERROR', 'REQUIRED_FIELD_MISSING'] : ['VALIDATION_ERROR'];
  const codes = new Set<ErrorCode>([
    ...COMMON[declared.surface],
    ...input,
    ...(isTenantWideChange(declared) ? ['MERCHANT_NOT_AUTHORIZED' as const] : []),
    ...codesOf(declared.body),
    ...codesOf(declared.query),
    ...(declared.errors ?? []),
    ...COMMON_TO_ALL,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  const add = (status: number, code: ErrorCode) => byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  for (const code of codes) {
    add(ERRORS[code], code);
    // The body of a GET is not read.
    if (code === 'VALIDATION_ERROR' && declared.method !== 'GET') add(TOO_LARGE, code);
    if (code === 'INVALID_AMOUNT' && codes.has('RESOURCE_CONFLICT')) add(422, code);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, statusCodes]) => {
      const name = [status, ...statusCodes].join('.');
      responses.set(name, errorResponse(statusCodes));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Returns the response for a group of error codes, with an example of each. */
function errorResponse(codes: readonly ErrorCode[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return { description: codes.join(', '), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } } };
}
