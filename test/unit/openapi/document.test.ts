import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '#core/kernel';
import { deprecationHeaders } from '#server/hooks';
import type { Route } from '#server/http';
import { ERROR_CATALOG, openApiDocument } from '#server/openapi';
import { allRoutes } from '../../../server/routes/index.ts';
import { differenceFromDocument, documentOfRoutes } from '../../support/contract.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { filesOf } from '../../support/sources.ts';

type Json = Record<string, unknown>;
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly security: readonly Json[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly headers?: object; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

const unused = () => {
  throw new Error('no route is called to describe it');
};
const NO_SETUP = { dataDir: '', isSetUp: unused, restore: unused, examineDatabase: unused, join: unused, setUp: unused };
const written = documentOfRoutes();
const document = withoutReferences(written) as {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((methods) => Object.values(methods));
const contentsOf = ({ requestBody, responses }: Operation) => [
  ...Object.values(requestBody?.content ?? {}),
  ...Object.values(responses).flatMap(({ content }) => Object.values(content ?? {})),
];

/** Calls `visit` for every field of the schemas in a part of the document. */
function forEachField(part: unknown, visit: (name: string, field: Json) => void): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (name === 'example' || name === 'examples') continue;
    if (name === 'properties') for (const [field, schema] of Object.entries(value as Json)) visit(field, schema as Json);
    forEachField(value, visit);
  }
}

// The rules of Redocly's `recommended-strict` and Spectral's `spectral:oas` that a change of a route can break. `docs/api.md` says how to run both.
interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

describe('the OpenAPI document', () => {
  test('describes every operation, group and parameter', () => {
    const faults = operations.filter(({ description, summary, tags }) => !description || !summary || tags.length !== 1);
    expect(faults.map(({ operationId }) => operationId)).toEqual([]);
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
    const parameters = operations.flatMap(({ operationId, parameters: own = [] }) => own.map((each) => ({ operationId, ...each })));
    expect(parameters.filter(({ description }) => !description).map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([]);
  });

  test('describes every field', () => {
    const missing = new Set<string>();
    forEachField(written, (name, field) => {
      if (!field.description && !field.$ref) missing.add(name);
    });
    expect([...missing]).toEqual([]);
  });

  test('names the security of every operation, and uses every component', () => {
    expect(operations.filter(({ security }) => security === undefined)).toEqual([]);
    const text = JSON.stringify(written);
    const { securitySchemes: _, ...components } = written.components as Readonly<Record<string, Json>>;
    const unused = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
    );
    expect(unused).toEqual([]);
  });

  test('has an example of every JSON body that is valid by its schema', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, date: true } });
    const validators = new Map<string, ValidateFunction>();
    const faults: string[] = [];
    for (const operation of operations) {
      for (const content of contentsOf(operation)) {
        if ('contentMediaType' in content.schema || content.schema.type === 'string') continue;
        const examples = [
          ...('example' in content ? [content.example] : []),
          ...Object.values(content.examples ?? {}).map(({ value }) => value),
        ];
        if (examples.length === 0) faults.push(`${operation.operationId}: no example`);
        const text = JSON.stringify(content.schema);
        const validate = validators.get(text) ?? ajv.compile(content.schema);
        validators.set(text, validate);
        for (const example of examples)
          if (!validate(example)) faults.push(`${operation.operationId}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(example)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('has an example with fields for every request body that has fields', () => {
    const requests = operations.flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).map(({ schema, example }) => ({ operationId, schema, example })),
    );
    const faults = requests.filter(({ schema, example }) => {
      const isEmpty = Object.keys(example as Json).length === 0 && Object.keys((schema.properties ?? {}) as Json).length > 0;
      return isEmpty || /[:[]"text"|"rec_/.test(JSON.stringify(example));
    });
    expect(faults.map(({ operationId, example }) => `${operationId}: ${JSON.stringify(example)}`)).toEqual([]);
  });

  test('names an example record for every parameter of a path', () => {
    const parameters = operations.flatMap(({ operationId, parameters: own = [] }) => own.map((each) => ({ operationId, ...each })));
    // `rec_` is the prefix of reconciliation runs, and of records whose path has no entry in `RECORDS`.
    const isMissing = ({ name, example }: { readonly name: string; readonly example?: unknown }) =>
      example === undefined || (name === 'id' && String(example).startsWith('rec_'));
    const missing = parameters.filter((each) => each.in === 'path' && isMissing(each));
    expect(missing.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([]);
    // The scripts in docs/api.md replace IDs of this form by those of earlier answers.
    const ids = parameters.filter((each) => each.in === 'path' && /^[a-z]+_\w{26}$/.test(String(each.example)));
    expect(ids.length).toBeGreaterThan(200);
    for (const { example } of ids) expect(example).toMatch(/^[a-z]+_(?:01m7y495cj0020acfq3xv5ygj8|0{26})$/);
  });

  test('marks a deprecated route, whose responses have the headers of the deprecation', () => {
    const [route] = allRoutes(NO_SETUP, unused).filter(({ id }) => id === 'admin.listRefunds');
    const marked = openApiDocument([{ ...(route as Route), deprecated: { since: '2027-01-01', lastDay: '2028-01-01' } }]);
    const [operation] = Object.values(withoutReferences(marked as unknown as typeof document).paths).flatMap((methods) =>
      Object.values(methods),
    );
    const { deprecated, responses } = operation as Operation & { readonly deprecated?: boolean };
    expect(deprecated).toBe(true);
    for (const { headers = {} } of Object.values(responses) as { headers?: object }[])
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
    expect(deprecationHeaders({ deprecated: { since: '2027-01-01', lastDay: '2028-01-01' } })).toEqual({
      deprecation: '@1798761600',
      sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
      link: '</docs/changelog>; rel="deprecation"',
    });
  });

  test('names the schema of every JSON body of a request or response', () => {
    const document = JSON.parse(JSON.stringify(written)) as {
      readonly paths: Record<string, Record<string, { readonly requestBody?: Body; readonly responses: Record<string, Body> }>>;
      readonly components: { readonly responses: Record<string, Body> };
    };
    const bodies = [
      ...Object.values(document.components.responses),
      ...Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ requestBody, responses }) => [
          ...(requestBody ? [requestBody] : []),
          ...Object.values(responses),
        ]),
      ),
    ];
    const schemas = bodies.flatMap(({ content }) => content?.['application/json']?.schema ?? []);
    expect(schemas.length).toBeGreaterThan(400);
    for (const { $ref } of schemas) expect($ref).toMatch(/^#\/components\/schemas\/\w+$/);
  });

  test('is smaller than 2.25 megabytes', () => {
    expect(JSON.stringify(written).length).toBeLessThan(2_250_000);
  });
});

describe('the catalog of error codes', () => {
  test('explains every code', () => {
    expect(Object.keys(ERROR_CATALOG).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  test('has as examples only messages that the service writes', () => {
    const patterns = messagePatterns();
    const invented = Object.entries(ERROR_CATALOG).filter(([, { message }]) => !patterns.some((pattern) => pattern.test(message)));
    expect(invented.map(([code, { message }]) => `${code}: ${message}`)).toEqual([]);
  });
});

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a pattern for each text of the service; an inserted value matches any text. */
function messagePatterns(): RegExp[] {
  const files = ['core', 'server'].flatMap((folder) => filesOf(folder, ['.ts'])).filter(({ path }) => !path.endsWith('error-catalog.ts'));
  const texts = files.flatMap(({ text }) =>
    [...text.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g)].map(([, one, two, three]) =>
      (one ?? two ?? three ?? '').replaceAll(/\\(.)/g, '$1'),
    ),
  );
  // A text of one inserted value alone matches everything.
  return texts
    .filter((text) => text.replaceAll(/\$\{[^}]*\}/g, '').length > 8)
    .map(
      (text) =>
        new RegExp(
          `^${text
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join('.+')}$`,
        ),
    );
}

describe('the comparison of responses with the document', () => {
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'req_1',
    'paydesk-version': '1',
    'x-ratelimit-limit': '-1',
    'x-ratelimit-remaining': '-1',
    'x-ratelimit-reset': '0',
  });
  const transaction = { method: 'GET', path: '/health', headers };
  const differenceOf = (status: number, body: object) => differenceFromDocument({ ...transaction, status, text: JSON.stringify(body) });

  test('reports a status, code or field that the document does not declare', () => {
    const error = { success: false, error: { code: 'INVOICE_CANCELLED', message: 'x', docUrl: '/docs/errors/INVOICE_CANCELLED' } };
    expect(differenceOf(418, {})).toContain('the status 418 is not documented');
    expect(differenceOf(500, error)).toContain('the code INVOICE_CANCELLED is not documented');
    expect(differenceOf(500, { success: false, error: { code: 'INTERNAL_ERROR', message: 'x' } })).toContain("'docUrl'");
    expect(differenceOf(500, { ...error, trace: 'x', error: { ...error.error, code: 'INTERNAL_ERROR' } })).toContain(
      'undeclared fields .trace',
    );
    expect(differenceOf(500, { ...error, error: { ...error.error, code: 'INTERNAL_ERROR' } })).toBeNull();
  });

  test('reports an absent or undeclared header', () => {
    const observed = (change: (changed: Headers) => void) => {
      const changed = new Headers(headers);
      change(changed);
      return differenceFromDocument({ ...transaction, headers: changed, status: 200, text: '{}' });
    };
    expect(observed((changed) => changed.delete('x-request-id'))).toBe('the header X-Request-Id is absent');
    expect(observed((changed) => changed.set('retry-after', '1'))).toBe('the header retry-after is not documented');
  });

  test('ignores paths that are not part of the API', () => {
    expect(differenceFromDocument({ ...transaction, path: '/docs', status: 418, text: '' })).toBeNull();
  });
});
