// Reads an OpenAPI document on standard input and writes the operations of the Python client to standard output.
import { text } from 'node:stream/consumers';
import { pascalCase, type Schema, snakeCase, TypeWriter, union } from './schema-types.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: { readonly content: Content } } }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const CLASSES: Readonly<Record<string, string>> = {
  public: 'PublicOperations',
  sdk: 'SdkOperations',
  admin: 'AdminOperations',
  service: 'ServiceOperations',
};
const PURPOSES: Readonly<Record<string, string>> = {
  public: 'Operations of API keys.',
  sdk: 'Operations of API keys, with names in PascalCase and amounts as texts.',
  admin: 'Operations of signed-in users.',
  service: 'Health and setup of a server.',
};
const IMPORTS = [
  'from __future__ import annotations',
  '',
  'from collections.abc import Iterator',
  'from decimal import Decimal',
  'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
  '',
  'from ..runtime import File, Operation, PaydeskError, Transport',
  '',
];

const document = JSON.parse(await text(process.stdin)) as Document;
const types = new TypeWriter(document.components.schemas);

const groups = new Map<string, string[]>(Object.keys(CLASSES).map((name) => [name, []]));
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    // An endless response is not the result of a method.
    if (contentOf(operation, '200')['text/event-stream'] !== undefined) continue;
    const [prefix = '', name = operation.operationId] = operation.operationId.split('.');
    groups.get(prefix in CLASSES ? prefix : 'service')?.push(methodOf(snakeCase(name), method.toUpperCase(), path, operation));
  }
}
const events = Object.entries(document.webhooks).map(([type, { post }]) => eventType(type, post.requestBody.content));
const errors = codesOf(document.components.schemas.Error).map((code) => [code, errorName(code)] as const);
const classes = [...groups].map(
  ([group, methods]) =>
    `class ${CLASSES[group]}:\n    """${PURPOSES[group]}"""\n\n    def __init__(self, transport: Transport) -> None:\n        self._transport = transport\n\n${methods.join('\n')}`,
);
const names = [...errors.map(([, name]) => name), ...types.declarations.keys(), 'ERROR_CLASSES', 'WebhookEvent'];
process.stdout.write(
  [
    '"""Operations, types and errors of the Paydesk payment API."""\n',
    ...IMPORTS,
    ...errors.map(([code, name]) => `\nclass ${name}(PaydeskError):\n    """${code}"""\n`),
    `\nERROR_CLASSES: dict[str, type[PaydeskError]] = {\n${errors.map(([code, name]) => `    "${code}": ${name},`).join('\n')}\n}\n`,
    ...[...types.declarations.values()].map((declaration) => `\n${declaration}`),
    `\nWebhookEvent: TypeAlias = "${union(events)}"\n`,
    ...classes.map((each) => `\n${each}`),
    `\n__all__ = [\n${names
      .toSorted()
      .map((name) => `    "${name}",`)
      .join('\n')}\n]\n`,
  ].join('\n'),
);

/** Returns the method of an operation. */
function methodOf(name: string, method: string, path: string, operation: Operation): string {
  const typeName = pascalCase(operation.operationId);
  const parameters = operation.parameters.map((each) => (each.$ref === undefined ? each : parameterOf(each.$ref)));
  const inPath = parameters.filter(({ in: place }) => place === 'path');
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const isIdempotent = parameters.some((each) => each.name === 'Idempotency-Key');
  const isApprovable = parameters.some((each) => each.name === 'Paydesk-Approval-Reason');
  const result = resultOf(operation, typeName);
  const body = bodyOf(operation, typeName);
  const kept = result.isPaged ? inQuery.filter((each) => each.name !== 'cursor' && each.name !== 'page') : inQuery;
  const named = [
    ...kept.map((each) => argument(each, `${typeName}${pascalCase(each.name)}`)).toSorted(requiredFirst),
    ...(method === 'POST' ? ['idempotency_key: str | None = None'] : []),
    ...(isApprovable ? ['approval_reason: str | None = None'] : []),
  ];
  const signature = [
    'self',
    ...inPath.map((each) => `${snakeCase(each.name)}: str`),
    ...body.parameters,
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  const properties = [
    `"${method}"`,
    `"${path}"`,
    ...(isIdempotent ? ['is_idempotent=True'] : []),
    ...(result.isJson ? [] : ['is_json=False']),
  ];
  const given = [
    `Operation(${properties.join(', ')})`,
    ...(inPath.length > 0 ? [`path=${dictOf(inPath)}`] : []),
    ...(kept.length > 0 ? [`query=${dictOf(kept)}`] : []),
    ...body.values,
    ...(method === 'POST' ? ['idempotency_key=idempotency_key'] : []),
    ...(isApprovable ? ['approval_reason=approval_reason'] : []),
  ];
  return [
    `    def ${name}(${signature.join(', ')}) -> ${result.type}:`,
    `        ${docstringOf(operation)}`,
    `        result: ${result.type} = self._transport.${result.isPaged ? 'pages' : 'call'}(${given.join(', ')})`,
    '        return result',
    '',
  ].join('\n');
}

function dictOf(parameters: readonly Parameter[]): string {
  return `{${parameters.map(({ name }) => `"${name}": ${snakeCase(name)}`).join(', ')}}`;
}

function argument({ name, required, schema }: Parameter, typeName: string): string {
  const type = types.typeOf(schema, typeName);
  return `${snakeCase(name)}: ${required ? type : `${union([type, 'None'])} = None`}`;
}

function requiredFirst(one: string, other: string): number {
  return Number(one.includes(' = ')) - Number(other.includes(' = '));
}

/** Returns the parameters of a body, and the values that pass it on. */
function bodyOf({ requestBody }: Operation, typeName: string): { parameters: readonly string[]; values: readonly string[] } {
  if (requestBody === undefined) return { parameters: [], values: [] };
  const form = requestBody.content['multipart/form-data']?.schema;
  if (form !== undefined) {
    const { required = [], properties = {} } = form;
    const [file = 'file'] = required;
    const { [file]: _, ...fields } = properties;
    const parameters = [`${file}: bytes`, 'file_name: str'];
    const values = [`file=("${file}", file_name, ${file})`];
    if (Object.keys(fields).length === 0) return { parameters, values };
    const type = types.typeOf({ ...form, properties: fields, required: required.slice(1) }, `${typeName}Fields`);
    const isNeeded = required.length > 1;
    return { parameters: [...parameters, `fields: ${type}${isNeeded ? '' : ' | None = None'}`], values: [...values, 'body=fields'] };
  }
  const type = types.typeOf(requestBody.content['application/json']?.schema ?? {}, `${typeName}Body`);
  return { parameters: [`body: ${type}${requestBody.required ? '' : ' | None = None'}`], values: ['body=body'] };
}

/** Returns the type of the result: the items of a list, `data` of a record, or a file. */
function resultOf(operation: Operation, typeName: string): { type: string; isPaged: boolean; isJson: boolean } {
  const done = ['200', '201'].filter((status) => status in operation.responses);
  // An operation that waits for an approval answers 202, which the client raises; one that only runs in the background has no other status.
  const schemas = (done.length > 0 ? done : ['202']).flatMap((status) => contentOf(operation, status)['application/json']?.schema ?? []);
  if (schemas.length === 0) return { type: 'File', isPaged: false, isJson: false };
  const envelopes = schemas.flatMap((schema) => types.resolved(schema).anyOf ?? [schema]);
  const [first] = envelopes.map((envelope) => types.resolved(envelope));
  const items = first?.properties?.data?.items;
  if (first?.properties?.pagination !== undefined && items !== undefined)
    return { type: `Iterator[${types.typeOf(items, `${typeName}Item`)}]`, isPaged: true, isJson: true };
  const accepted = envelopes.filter((envelope) => types.resolved(envelope).properties?.success?.const !== false);
  const results = accepted.map((envelope, index) => {
    const { success, data } = types.resolved(envelope).properties ?? {};
    const name = `${typeName}Result${index === 0 ? '' : index + 1}`;
    return success?.const === true && data !== undefined ? types.typeOf(data, name) : types.typeOf(envelope, name);
  });
  return { type: union(results), isPaged: false, isJson: true };
}

function contentOf({ responses }: Operation, status: string): Content {
  const { $ref, content } = responses[status] ?? {};
  return ($ref === undefined ? content : document.components.responses[$ref.split('/').at(-1) ?? '']?.content) ?? {};
}

function parameterOf(reference: string): Parameter {
  const found = document.components.parameters[reference.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${reference} has no target.`);
  return found;
}

function docstringOf({ summary, description }: Operation): string {
  const content = `${summary}. ${description}`
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .replaceAll(/\s*\n\s*/g, ' ');
  return `"""${content.endsWith('"') ? `${content} ` : content}"""`;
}

/** Returns the type of an event; the literal of its type distinguishes it from others. */
function eventType(type: string, content: Content): string {
  const schema = types.resolved(content['application/json']?.schema ?? {});
  const properties = { ...schema.properties, type: { const: type } };
  return types.typeOf({ ...schema, properties }, `${pascalCase(type.replaceAll(/[._]/g, ' '))}Event`);
}

function codesOf(error: Schema | undefined): readonly string[] {
  return (error?.properties?.error?.properties?.code?.enum ?? []) as readonly string[];
}

/** Returns the name of an error class: `InvalidAmountError` for INVALID_AMOUNT. */
function errorName(code: string): string {
  return `${pascalCase(code.toLowerCase().replaceAll('_', ' '))}Error`.replace(/ErrorError$/, 'Error');
}
