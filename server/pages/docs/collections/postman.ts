import type { OpenApiDocument } from '../document.ts';
import { type CollectionRequest, type CollectionValues, requestsOf, SIGN_IN } from './requests.ts';

const VARIABLES = ['baseUrl', 'apiKey', 'tenantId', 'merchantId', 'adminEmail', 'adminPassword'] as const;

/** Returns a Postman collection (format 2.1) of all operations; signing in stores the access token for the others. */
export function postmanCollection(document: OpenApiDocument, values: CollectionValues): object {
  const folders = new Map<string, object[]>();
  for (const request of requestsOf(document)) folders.set(request.folder, [...(folders.get(request.folder) ?? []), itemOf(request)]);
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [...VARIABLES.map((key) => ({ key, value: values[key] ?? '' })), { key: 'accessToken', value: '' }],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
}

function itemOf({ id, name, description, method, path, headers, pathValues, query, body }: CollectionRequest): object {
  const segments = path.split('/').slice(1);
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    name,
    ...(id === SIGN_IN ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_TOKEN } }] } : {}),
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

const KEEP_TOKEN = ["pm.collectionVariables.set('accessToken', pm.response.json().data.token);"];
