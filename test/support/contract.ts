import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '#server/openapi';
import { allRoutes } from '../../server/routes/index.ts';
import { withoutReferences } from './openapi.ts';

interface Content {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required: boolean }>>;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** The parts of a response that the document describes. */
interface ObservedResponse {
  readonly method: string;
  /** Path with or without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Body; only that of JSON is read. */
  readonly text: string;
}

/** An operation with the segments of its path; a parameter is null. */
interface PathPattern {
  readonly segments: readonly (string | null)[];
  readonly operation: Operation;
}

let patterns: ReadonlyMap<string, readonly PathPattern[]> | undefined;
const validators = new WeakMap<object, ValidateFunction>();
/** Operations share most of their schemas, above all that of errors. */
const validatorsByText = new Map<string, ValidateFunction>();
// The unit tests check the schemas themselves; a validator that is not optimized is compiled in half of the time.
const ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false }, formats: { 'date-time': true, date: true } });

/**
 * Returns the difference between a response and the OpenAPI document: an undeclared status, header, error code or field, an absent header, or a value outside of its
 * schema. Returns null if there is none, or if the document does not have the path.
 */
export function differenceFromDocument({ method, path, status, headers, text }: ObservedResponse): string | null {
  const operation = operationOf(method, path);
  // An unchanged answer (304) has no content.
  if (operation === undefined || method === 'HEAD' || status === 304) return null;
  const response = operation.responses[status];
  if (response === undefined) return `the status ${status} is not documented: ${text.slice(0, 200)}`;
  const header = differenceInHeaders(headers, response);
  if (header !== null) return header;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const content = response.content?.[type];
  if (content === undefined) return `the content type ${type} is not documented for the status ${status}`;
  if (type !== 'application/json') return null;
  const body = JSON.parse(text) as { error?: { code: string } };
  const validate = validatorOf(content.schema);
  if (!validate(body)) return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join(', ');
  const extra = undeclared(body, content.schema);
  if (extra.length > 0) return `undeclared fields ${extra.join(', ')}`;
  const code = status < 400 ? undefined : body.error?.code;
  return code === undefined || code in (content.examples ?? {}) ? null : `the code ${code} is not documented for the status ${status}`;
}

/** Headers that every response has; the introduction of the document names them. */
const ALWAYS = ['X-Request-Id', 'Paydesk-Version', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** Headers about which the document says whether a response may have them. */
const DOCUMENTED_HEADERS = ['retry-after', 'idempotent-replayed', 'etag', 'deprecation', 'sunset'];

function differenceInHeaders(headers: Headers, { headers: declared = {} }: DocumentedResponse): string | null {
  const required = Object.keys(declared).filter((name) => declared[name]?.required);
  const absent = [...ALWAYS, ...required].find((name) => !headers.has(name));
  if (absent !== undefined) return `the header ${absent} is absent`;
  const known = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
  const extra = DOCUMENTED_HEADERS.find((name) => headers.has(name) && !known.has(name));
  return extra === undefined ? null : `the header ${extra} is not documented`;
}

function operationOf(method: string, path: string): Operation | undefined {
  patterns ??= readPatterns();
  const segments = (path.split('?')[0] ?? '').split('/');
  return patterns
    .get(patternGroup(method, segments))
    ?.find(({ segments: expected }) => expected.every((segment, index) => segment === null || segment === segments[index]))?.operation;
}

const patternGroup = (method: string, segments: readonly unknown[]) => `${method.toLowerCase()} ${segments.length}`;

/** Returns the operations of the document by method and number of segments; those with fewer parameters come first, as the router prefers them. */
function readPatterns(): ReadonlyMap<string, readonly PathPattern[]> {
  const { paths } = withoutReferences(documentOfRoutes()) as { paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  const all = Object.entries(paths).flatMap(([path, methods]) => {
    const segments = path.split('/').map((segment) => (segment.startsWith('{') ? null : segment));
    return Object.entries(methods).map(([method, operation]) => ({ method, segments, operation }));
  });
  all.sort((one, other) => parametersOf(one) - parametersOf(other));
  return Map.groupBy(all, ({ method, segments }) => patternGroup(method, segments));
}

const parametersOf = ({ segments }: Pick<PathPattern, 'segments'>) => segments.filter((segment) => segment === null).length;

/** Returns the document that a server with all routes serves, without starting one. */
export function documentOfRoutes(): Record<string, unknown> {
  const unused = () => {
    throw new Error('no route is called to describe it');
  };
  const setup = { dataDir: '', isSetUp: unused, restore: unused, examineDatabase: unused, join: unused, setUp: unused };
  return openApiDocument(allRoutes(setup, unused));
}

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  const validator = validatorsByText.get(text) ?? ajv.compile(schema);
  validatorsByText.set(text, validator);
  validators.set(schema, validator);
  return validator;
}

/** Returns the paths of the fields that a value has and its schema does not declare. A record declares all of its fields. */
export function undeclared(value: unknown, { properties, additionalProperties, items, anyOf }: Shape, at = ''): string[] {
  if (typeof value !== 'object' || value === null || typeof additionalProperties === 'object') return [];
  if (anyOf) return anyOf.map((shape) => undeclared(value, shape, at)).sort((one, other) => one.length - other.length)[0] ?? [];
  if (Array.isArray(value)) return value.flatMap((each) => undeclared(each, items ?? {}, `${at}[]`));
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const shape = properties[name];
    return shape ? undeclared(inner, shape, `${at}.${name}`) : [`${at}.${name}`];
  });
}
