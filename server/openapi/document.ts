import { createHash } from 'node:crypto';
import { type TObject, Type } from 'typebox';
import { ERRORS, type ErrorCode } from '#core/kernel';
import { EXAMPLE } from '#core/platform/fields';
import { isOpenByPin, type Route, type Surface, statusOf, urlOf, VERSION } from '#server/http';
import { ApprovalRequiredOut, named, SdkApprovalRequiredOut } from '#server/schemas';
import { ERROR_CATALOG, exampleOfError } from './error-catalog.ts';
import { exampleOf } from './examples.ts';
import { INTRODUCTION, TAG_DESCRIPTIONS } from './introduction.ts';
import { pathParameter } from './path-parameters.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';
import { headersOf, headersOfAll } from './response-headers.ts';
import { descriptionOf, type Json, type Schema, SchemaWriter } from './schema-writer.ts';
import { WEBHOOK_TAG, webhooksOf } from './webhooks.ts';

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key within 24 hours gets the first response byte for byte and has no further effect. Only a keyed hash of the key is stored. A key that contains a card number is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const DRAWER_HEADER = {
  name: 'Paydesk-Drawer',
  in: 'header',
  required: false,
  description:
    'Name of the cash drawer of the workstation, percent-encoded in UTF-8; at most 40 characters. The money that the request moves is in the X and Z reports of the shift that is open at this drawer.',
  schema: { type: 'string', minLength: 1, maxLength: 360 },
};

const APPROVAL_REASON_HEADER = {
  name: 'Paydesk-Approval-Reason',
  in: 'header',
  required: false,
  description:
    'Reason of the request for the person who approves it, if the operation needs an approval: percent-encoded in UTF-8, at most 200 characters. It replaces the `reason` of the operation. If it is empty and the operation has no reason either, the request is not stored, and the error is PERMISSION_DENIED with `details.reason` `approval_reason_required`.',
  schema: { type: 'string', maxLength: 1800 },
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
class Components {
  readonly schemas = new SchemaWriter();
  readonly parameters = new Map<string, Json>();
  readonly responses = new Map<string, Json>();
  readonly examples = new Map<string, Json>();

  /** Adds a part under a name of its content, so that equal parts are written once. Returns the reference. */
  add(kind: 'parameters' | 'responses' | 'examples', prefix: string, part: Json): Json {
    const name = `${prefix}-${createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 6)}`;
    this[kind].set(name, part);
    return { $ref: `#/components/${kind}/${name}` };
  }
}

/**
 * Returns the OpenAPI 3.1 document of every route, made from the declarations that the server runs. A schema with a name is under `components/schemas`;
 * parameters, error responses and examples that operations share are components too.
 * @throws Error if two different schemas have the same name.
 */
export function openApiDocument(routes: readonly Route[]): Json {
  const components = new Components();
  components.schemas.write(ERROR_SCHEMA);
  const paths: Record<string, Json> = {};
  for (const declared of routes) {
    const url = urlOf(declared).replace(/:(\w+)/g, '{$1}');
    paths[url] = { ...paths[url], [declared.method.toLowerCase()]: operation(declared, components) };
  }
  const webhooks = webhooksOf(components);
  const tags = [...new Set([...routes.map((declared) => declared.tag), WEBHOOK_TAG])];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paydesk payment API',
      version: VERSION,
      summary: 'Card and bank payments on this computer.',
      description: INTRODUCTION,
      contact: { name: 'Paydesk' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The server that sent this document.' }],
    tags: tags.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a signed-in user.' },
        tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant-ID', description: 'The ID of the tenant.' },
        serviceKey: { type: 'apiKey', in: 'header', name: 'x-internal-service-key', description: 'The key of the internal services.' },
        clientToken: { type: 'apiKey', in: 'header', name: 'x-client-token', description: 'A token of a page that stores cards.' },
        sdkKey: { type: 'http', scheme: 'bearer', description: 'The API key itself.' },
      },
      schemas: sorted(components.schemas.named),
      parameters: sorted(components.parameters),
      headers: headersOfAll(routes),
      responses: sorted(components.responses),
      examples: sorted(components.examples),
    },
  };
}

function sorted(parts: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...parts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const ERROR_SCHEMA: Schema = {
  title: 'Error',
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false, description: 'always false' },
    error: {
      type: 'object',
      description: 'What went wrong',
      required: ['code', 'message', 'docUrl'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS), description: 'error code; its page explains it' },
        message: { type: 'string', description: 'explanation for a person; may change, so programs compare `code`' },
        field: { type: 'string', description: 'name of the faulty field, as sent' },
        details: { type: 'object', description: 'further facts about the error or decline' },
        docUrl: { type: 'string', description: 'page of the code, relative to the address of the server' },
      },
    },
  },
};

function operation(declared: Route, components: Components): Json {
  const { surface, body } = declared;
  const parameters = [
    ...(declared.keyClaimedBy ? [components.add('parameters', 'Idempotency-Key', IDEMPOTENCY_HEADER)] : []),
    ...(declared.takesDrawer ? [components.add('parameters', 'Paydesk-Drawer', DRAWER_HEADER)] : []),
    ...(declared.approvable ? [components.add('parameters', 'Paydesk-Approval-Reason', APPROVAL_REASON_HEADER)] : []),
    ...parametersOf(declared, 'path', components),
    ...parametersOf(declared, 'query', components),
  ];
  return {
    operationId: declared.id,
    tags: [declared.tag],
    summary: declared.summary,
    description: descriptionWithConfirmation(declared),
    ...(declared.permission ? { 'x-permission': declared.permission, 'x-scope': declared.scope } : {}),
    ...(declared.exports ? { 'x-export-permission': `${declared.exports}:export` } : {}),
    ...(declared.deprecated ? { deprecated: true } : {}),
    ...(declared.live ? { 'x-live-permission': declared.live } : {}),
    ...(surface === 'admin' && isOpenByPin(declared) ? { 'x-pin-session': true } : {}),
    ...(declared.confirms ? { 'x-confirmation': declared.confirms.level } : {}),
    security: declared.namesTenant
      ? [{ tenant: [] }]
      : [
          ...SECURITY[surface],
          ...(declared.serviceKey ? [{ serviceKey: [], tenant: [] }] : []),
          ...(declared.clientToken ? [{ clientToken: [], tenant: [] }] : []),
        ],
    parameters,
    ...(body ? { requestBody: requestBody(declared, body, components) } : {}),
    ...(declared.upload ? { requestBody: form(declared, components) } : {}),
    responses: {
      [statusOf(declared)]: successResponse(declared, components),
      ...((declared.approvable || declared.acceptedIf) && { 202: acceptedResponse(declared, components) }),
      ...errorResponses(declared, components),
    },
  };
}

/** Returns the description of a route with the condition under which `recent` confirmations are refused. */
function descriptionWithConfirmation({ description, confirms }: Route): string | undefined {
  if (confirms?.level !== 'recent') return description;
  const rule = `Must be confirmed${confirms.accounts === 'live' ? ' on a live account' : ''}: by a sign-in with the password less than 15 minutes ago, or by the password in \`currentPassword\`. Otherwise PERMISSION_DENIED with \`details.reason\` \`confirmation_required\`.`;
  return description === undefined ? rule : `${description} ${rule}`;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns names for the body of an operation: `CreateItemRequest`, or `PublicCreateItemRequest` if another surface has another one. */
function namesOf(id: string, suffix: 'Request' | 'Result'): string[] {
  const [group = '', operationName = ''] = id.split('.');
  const name = `${capitalized(operationName)}${suffix}`;
  return [name, `${capitalized(group)}${name}`];
}

function requestBody({ id, confirms }: Route, body: TObject, { schemas }: Components): Json {
  const schema = schemas.writeBody(body as unknown as Schema, namesOf(id, 'Request'));
  // The only fields of many deletions are those of the confirmation.
  const isOnlyConfirmed = confirms !== undefined && Object.keys(body.properties).length === 2;
  // Most callers have a password.
  const required = [...(body.required ?? []), ...(confirms?.level === 'password' ? ['currentPassword'] : [])];
  const shown = { ...body, required } as unknown as Schema;
  const example = REQUEST_EXAMPLES[id] ?? exampleOf(shown, isOnlyConfirmed ? 'all' : 'required');
  return { required: (body.required ?? []).length > 0, content: { 'application/json': { schema, example } } };
}

/** Returns the request body of a form with a file; objects among its fields are sent as JSON. */
function form({ id, upload }: Route, { schemas }: Components): Json {
  const { file, fields } = upload as NonNullable<Route['upload']>;
  const properties = {
    [file]: { type: 'string', description: 'File', [EXAMPLE]: 'the content of the file', contentMediaType: 'application/octet-stream' },
    ...fields.properties,
  };
  const schema = { type: 'object', required: [file, ...((fields.required ?? []) as readonly string[])], properties } as unknown as Schema;
  const example = REQUEST_EXAMPLES[id] ?? exampleOf(schema, 'required');
  return { required: true, content: { 'multipart/form-data': { schema: schemas.write(schema), example } } };
}

function successResponse(declared: Route, components: Components): Json {
  const { id, response, contentType = 'application/json', otherContentTypes = [] } = declared;
  const schema = response as unknown as Schema;
  const isJson = contentType === 'application/json';
  const written = isJson ? components.schemas.writeBody(schema, namesOf(id, 'Result')) : components.schemas.write(schema);
  const examples = isJson
    ? { examples: { response: components.add('examples', schema.title ?? id, { value: exampleOf(schema, 'all') }) } }
    : {};
  const other = Object.fromEntries(otherContentTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]));
  const success = {
    description: 'Success.',
    headers: headersOf(declared, statusOf(declared)),
    content: { [contentType]: { schema: written, ...examples }, ...other },
  };
  // Records with a name are the responses of many operations.
  return schema.title === undefined ? success : components.add('responses', String(statusOf(declared)), success);
}

/** Returns the response of an operation that continues: after the approval of a second person, or on a card reader. */
function acceptedResponse(declared: Route, components: Components): Json {
  if (!declared.acceptedIf) return approvalResponse(declared, components);
  const { id, response, approvable, surface } = declared;
  const [name, approval] =
    surface === 'sdk' ? (['SdkPaymentAccepted', SdkApprovalRequiredOut] as const) : (['PaymentAccepted', ApprovalRequiredOut] as const);
  const schema = approvable ? named(name, Type.Union([response, approval])) : response;
  const body = schema as unknown as Schema;
  const example = components.add('examples', body.title ?? id, { value: exampleOf(response as unknown as Schema, 'all') });
  const content = {
    'application/json': { schema: components.schemas.writeBody(body, namesOf(id, 'Result')), examples: { response: example } },
  };
  const description = approvable
    ? 'The payment runs on a card reader, or a second person must approve the operation.'
    : 'The payment runs on a card reader. Read the transaction for its progress.';
  return components.add('responses', '202', { description, headers: headersOf(declared, 202), content });
}

/** Returns the response of an operation that waits for the approval of a second person. */
function approvalResponse(declared: Route, components: Components): Json {
  const schema = (declared.surface === 'sdk' ? SdkApprovalRequiredOut : ApprovalRequiredOut) as unknown as Schema;
  const id = schema.title ?? '';
  const example = components.add('examples', id, { value: exampleOf(schema, 'all') });
  const content = { 'application/json': { schema: components.schemas.write(schema), examples: { response: example } } };
  const description = 'A second person must approve the operation. Nothing was done yet.';
  return components.add('responses', '202', { description, headers: headersOf(declared, 202), content });
}

function parametersOf(declared: Route, where: 'path' | 'query', components: Components): Json[] {
  const schema = where === 'path' ? declared.params : declared.query;
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const own = field as unknown as Schema;
    const inPath = where === 'path' ? pathParameter(declared.path, name) : undefined;
    const description = descriptionOf({ description: inPath?.description, ...own });
    const { description: _, ...rest } = own;
    const isInteger = where === 'query' && INTEGER_PARAMETERS.has(name);
    const isRequired = where === 'path' || ((schema?.required ?? []) as readonly string[]).includes(name);
    const [ownExample] = (own as { readonly examples?: readonly unknown[] }).examples ?? [];
    const example = inPath?.example ?? ownExample ?? (isRequired ? own[EXAMPLE] : undefined);
    return components.add('parameters', name, {
      name,
      in: where,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema: isInteger ? { type: 'integer', minimum: 1 } : components.schemas.write(rest as Schema),
      ...(example === undefined ? {} : { example }),
    });
  });
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
function errorResponses(declared: Route, components: Components): Json {
  const hasInput = declared.body !== undefined || declared.upload !== undefined || (declared.query?.required ?? []).length > 0;
  const input: ErrorCode[] = hasInput ? ['VALIDATION_ERROR', 'REQUIRED_FIELD_MISSING'] : ['VALIDATION_ERROR'];
  const codes = new Set<ErrorCode>([
    ...COMMON[declared.surface],
    ...input,
    ...(isTenantWideChange(declared) ? ['MERCHANT_NOT_AUTHORIZED' as const] : []),
    ...codesOf(declared.body),
    ...codesOf(declared.query),
    ...(declared.keyClaimedBy ? ['RESOURCE_CONFLICT' as const] : []),
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
    [...byStatus].map(([status, statusCodes]) => [
      status,
      components.add('responses', String(status), errorResponse(declared, status, statusCodes, components)),
    ]),
  );
}

const CATALOG_ORDER = Object.keys(ERROR_CATALOG);

/** Returns the response for a group of error codes, with an example of each. The order is that of the catalog, so that routes with the same codes share it. */
function errorResponse(declared: Route, status: number, unordered: readonly ErrorCode[], components: Components): Json {
  const codes = unordered.toSorted((a, b) => CATALOG_ORDER.indexOf(a) - CATALOG_ORDER.indexOf(b));
  for (const code of codes) components.examples.set(code, { summary: ERROR_CATALOG[code].meaning, value: exampleOfError(code) });
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } };
  return { description: codes.join(', '), headers: headersOf(declared, status), content };
}
