import type { OpenApiDocument } from '../document.ts';
import { type CollectionRequest, requestsOf } from './requests.ts';
import { SEND_ALL } from './skipped.ts';
import { type CollectionValues, KEPT_NAMES, optionalPath, VALUE_NAMES } from './variables.ts';

/** A file of a collection, with its path. */
export interface CollectionFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the files of a Bruno collection: a folder per group, a file per operation, and the environment with the known values. */
export function brunoCollection(document: OpenApiDocument, values: CollectionValues): CollectionFile[] {
  const manifest = { version: '1', name: document.info.title, type: 'collection' };
  const requests = requestsOf(document);
  const folders = [...new Set(requests.map(({ folder }) => folder))];
  return [
    { path: 'bruno.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: 'environments/Sandbox.bru', text: environmentOf(values) },
    ...folders.map((name, index) => ({ path: `${name}/folder.bru`, text: block('meta', { name, seq: String(index + 1) }) })),
    ...requests.map((request, index) => ({ path: `${request.folder}/${request.file}.bru`, text: fileOf(request, index + 1) })),
  ];
}

const environmentOf = (values: CollectionValues) =>
  block(
    'vars',
    Object.fromEntries([
      ...VALUE_NAMES.map((name) => [name, values[name] ?? '']),
      ...KEPT_NAMES.map((name) => [name, '']),
      [SEND_ALL, 'false'],
    ]),
  );

function fileOf(
  { name, description, method, path, headers, pathValues, query, body, status, kept, isSkipped }: CollectionRequest,
  seq: number,
): string {
  const optional = Object.fromEntries(query.map((each) => [`${each.isRequired ? '' : '~'}${each.name}`, each.value]));
  const required = query.filter(({ isRequired }) => isRequired).map((each) => `${each.name}=${each.value}`);
  return [
    block('meta', { name, type: 'http', seq: String(seq) }),
    block(method.toLowerCase(), {
      url: `{{baseUrl}}${path}${required.length > 0 ? `?${required.join('&')}` : ''}`,
      body: body === undefined ? 'none' : 'json',
      auth: 'none',
    }),
    ...(query.length > 0 ? [block('params:query', optional)] : []),
    ...(Object.keys(pathValues).length > 0 ? [block('params:path', pathValues)] : []),
    block('headers', headers),
    ...(body === undefined ? [] : [textBlock('body:json', JSON.stringify(body, null, 2))]),
    ...(Object.keys(kept).length > 0
      ? [
          block(
            'vars:post-response',
            Object.fromEntries(Object.entries(kept).map(([variable, path]) => [variable, `res.body?.${optionalPath(path)}`])),
          ),
        ]
      : []),
    ...(isSkipped ? [textBlock('script:pre-request', `if (bru.getEnvVar("${SEND_ALL}") !== "true") bru.runner.skipRequest();`)] : []),
    textBlock('tests', `test("responds with ${status}", function () {\n  expect(res.getStatus()).to.equal(${status});\n});`),
    textBlock('docs', description),
  ].join('\n');
}

const block = (name: string, entries: Readonly<Record<string, string>>) =>
  `${name} {\n${Object.entries(entries)
    .map(([key, value]) => `  ${key}: ${value}\n`)
    .join('')}}\n`;

const textBlock = (name: string, text: string) => `${name} {\n${text.replaceAll(/^/gm, '  ')}\n}\n`;
