type Json = Record<string, unknown>;

/** A schema of the OpenAPI document. */
export interface DocumentedSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
  readonly items?: DocumentedSchema;
  readonly anyOf?: readonly DocumentedSchema[];
}
interface Content {
  readonly schema: DocumentedSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Json>>;
}
export interface DocumentedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: DocumentedSchema;
  readonly example?: unknown;
}
export interface DocumentedResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly content: Readonly<Record<string, Content>>;
}
export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly 'x-permission'?: string;
  readonly 'x-export-permission'?: string;
  readonly 'x-scope'?: string;
  readonly 'x-live-permission'?: string;
  readonly 'x-pin-session'?: true;
  readonly 'x-confirmation'?: 'recent' | 'password';
  readonly security: readonly Json[];
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
/** The parts of the OpenAPI document that its pages show. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** An operation with its address, and what its callers send as credential. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly surface: 'public' | 'admin' | 'sdk' | 'open';
}

/** Returns every operation of a document in its order. */
export function endpointsOf({ paths }: OpenApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      surface: surfaceOf(operation),
    })),
  );
}

function surfaceOf({ security: [first = {}] }: DocumentedOperation): Endpoint['surface'] {
  if ('apiKey' in first) return 'public';
  if ('sdkKey' in first) return 'sdk';
  return 'accessToken' in first ? 'admin' : 'open';
}

/** Returns a part of the document, or the component that it refers to. */
export function resolved<Part extends { readonly $ref?: string }>(document: OpenApiDocument, part: Part): Part {
  if (part.$ref === undefined) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  return { ...(document.components[kind]?.[name] as unknown as Part), ...('description' in part ? { description: part.description } : {}) };
}

/** Returns the headers of an operation, with placeholders for the credentials. */
export function headersOf({ surface, operation }: Endpoint): Record<string, string> {
  const tenant = { 'X-Tenant-ID': 'YOUR_TENANT_ID' };
  const content: Record<string, string> = operation.requestBody?.content['application/json'] ? { 'Content-Type': 'application/json' } : {};
  switch (surface) {
    case 'public':
      return { 'x-api-key': 'YOUR_API_KEY', ...tenant, ...content };
    case 'sdk':
      return { Authorization: 'Bearer YOUR_API_KEY', ...content };
    case 'admin':
      return { Authorization: 'Bearer YOUR_ACCESS_TOKEN', ...tenant, ...content };
    case 'open':
      return { ...('tenant' in (operation.security[0] ?? {}) ? tenant : {}), ...content };
  }
}

export const operationUrl = (id: string) => `/docs/operations/${id}`;
