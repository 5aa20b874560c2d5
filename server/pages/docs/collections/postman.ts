import type { OpenApiDocument } from '../document.ts';
import { type CollectionRequest, requestsOf } from './requests.ts';
import { SEND_ALL } from './skipped.ts';
import { type CollectionValues, KEPT_NAMES, type Kept, optionalPath, VALUE_NAMES } from './variables.ts';

/** Returns a Postman collection (format 2.1) of all operations; requests of the first folder set the variables of the others. */
export function postmanCollection(document: OpenApiDocument, values: CollectionValues): object {
  const folders = new Map<string, object[]>();
  for (const request of requestsOf(document)) folders.set(request.folder, [...(folders.get(request.folder) ?? []), itemOf(request)]);
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      ...VALUE_NAMES.map((key) => ({ key, value: values[key] ?? '' })),
      ...KEPT_NAMES.map((key) => ({ key, value: '' })),
      { key: SEND_ALL, value: 'false' },
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
}

function itemOf({ name, description, method, path, headers, pathValues, query, body, status, kept, isSkipped }: CollectionRequest): object {
  const segments = path.split('/').slice(1);
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    name,
    event: [
      ...(isSkipped
        ? [scriptOf('prerequest', [`if (pm.collectionVariables.get('${SEND_ALL}') !== 'true') pm.execution.skipRequest();`])]
        : []),
      scriptOf('test', [`pm.test('responds with ${status}', () => pm.expect(pm.response.code).to.equal(${status}));`, ...settersOf(kept)]),
    ],
    request: {
      method,
      description,
      header: Object.entries({ ...headers, ...content }).map(([key, value]) => ({ key, value })),
      url: {
        raw: `{{baseUrl}}${path}`,
        host: ['{{baseUrl}}'],
        path: segments,
        query: query.map((each) => ({ key: each.name, value: each.value, description: each.description, disabled: !each.isRequired })),
        variable: Object.entries(pathValues).map(([key, value]) => ({ key, value })),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
  };
}

const scriptOf = (listen: string, exec: readonly string[]) => ({ listen, script: { type: 'text/javascript', exec } });

/** Returns the lines of a script that set variables from a successful response. */
const settersOf = (kept: Kept): string[] => [
  ...(Object.keys(kept).length > 0 ? ['const body = pm.response.code < 300 ? pm.response.json() : {};'] : []),
  ...Object.entries(kept).map(([name, path]) => `pm.collectionVariables.set('${name}', body.${optionalPath(path)} ?? '');`),
];
