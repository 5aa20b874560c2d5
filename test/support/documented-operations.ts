import { withoutReferences } from './openapi.ts';
import type { ApiFixture } from './server.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly contentMediaType?: string;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** An operation of the OpenAPI document. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Path without `/api/v1`. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly isList: boolean;
  /** True if a successful response is a file. */
  readonly isFile: boolean;
  /** Names of the fields of its form, those of files first; undefined if it takes no form. */
  readonly form: { readonly files: readonly string[]; readonly required: readonly string[] } | undefined;
  readonly isRepeatable: boolean;
}

/** Returns the operations of the document of a running server. */
export async function documentedOperations({ api }: ApiFixture): Promise<DocumentedOperation[]> {
  const document = withoutReferences(
    JSON.parse((await api.bare.get('/openapi.json')).text) as { paths: Record<string, Record<string, Operation>> },
  );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const named = (place: string) => (operation.parameters ?? []).filter((each) => each.in === place).map(({ name }) => name);
      const content = (operation.responses['200'] ?? operation.responses['201'])?.content ?? {};
      const schema = content['application/json']?.schema;
      const form = operation.requestBody?.content['multipart/form-data']?.schema;
      const files = Object.entries(form?.properties ?? {}).filter(([, field]) => field.contentMediaType !== undefined);
      return {
        id: operation.operationId,
        method: method as DocumentedOperation['method'],
        path: path.replace(/^\/api\/v1/, ''),
        pathParameters: named('path'),
        queryParameters: named('query'),
        isList: [schema, ...(schema?.anyOf ?? [])].some(
          (each) => each?.properties?.pagination !== undefined && each.properties.data?.type === 'array',
        ),
        isFile: schema === undefined && Object.keys(content).length > 0 && !('text/event-stream' in content),
        form: form && { files: files.map(([name]) => name), required: form.required ?? [] },
        isRepeatable: named('header').includes('Idempotency-Key'),
      };
    }),
  );
}

/** Returns an operation by its ID. @throws Error if there is none. */
export function operationOf(operations: readonly DocumentedOperation[], id: string): DocumentedOperation {
  const found = operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`The document has no operation ${id}.`);
  return found;
}
