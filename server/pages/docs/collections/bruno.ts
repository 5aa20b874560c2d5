import type { OpenApiDocument } from '../document.ts';
import { type CollectionRequest, type CollectionValues, requestsOf, SIGN_IN } from './requests.ts';

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
    ...requests.map((request, index) => ({ path: `${request.folder}/${request.id}.bru`, text: fileOf(request, index + 1) })),
  ];
}

const NAMES = ['baseUrl', 'apiKey', 'tenantId', 'merchantId', 'adminEmail', 'adminPassword'] as const;

const environmentOf = (values: CollectionValues) => block('vars', Object.fromEntries(NAMES.map((name) => [name, values[name] ?? ''])));

function fileOf(
  { id, name, description, method, path, headers, pathValues, query, body, statuses }: CollectionRequest,
  seq: number,
): string {
  const isGet = method === 'GET';
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
    ...(id === SIGN_IN ? [block('vars:post-response', { accessToken: 'res.body.data.token' })] : []),
    textBlock(
      'tests',
      `test("responds as documented", function () {\n  expect(res.getStatus()).to.be.oneOf([${statuses.join(', ')}]);\n});`,
    ),
    textBlock('docs', isGet ? description : `${description}\n\nStatuses: ${statuses.join(', ')}`),
  ].join('\n');
}

const block = (name: string, entries: Readonly<Record<string, string>>) =>
  `${name} {\n${Object.entries(entries)
    .map(([key, value]) => `  ${key}: ${value}\n`)
    .join('')}}\n`;

const textBlock = (name: string, text: string) => `${name} {\n${text.replaceAll(/^/gm, '  ')}\n}\n`;
