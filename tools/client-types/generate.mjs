// Reads an OpenAPI document on standard input and writes its TypeScript types to standard output.
import { text } from 'node:stream/consumers';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** Headers that the client adds to every request by itself: no call names them. */
const ADDED_BY_CLIENT = new Set(['x-tenant-id', 'authorization']);

const document = JSON.parse(await text(process.stdin));
for (const operations of Object.values(document.paths)) {
  for (const operation of Object.values(operations)) {
    if (!operation.parameters) continue;
    operation.parameters = operation.parameters.filter(
      ({ in: place, name }) => place !== 'header' || !ADDED_BY_CLIENT.has(name.toLowerCase()),
    );
  }
}
process.stdout.write(astToString(await openapiTypescript(document, { alphabetize: true })));
