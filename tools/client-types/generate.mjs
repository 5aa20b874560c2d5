// Reads an OpenAPI document on standard input and writes its TypeScript types to standard output.
import { text } from 'node:stream/consumers';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** Headers that the client adds to every request by itself: no call names them. */
const ADDED_BY_CLIENT = new Set(['x-tenant-id', 'authorization']);
/** Parts that have no types. */
const LEFT_OUT = new Set(['example', 'examples']);

const document = withoutExamples(JSON.parse(await text(process.stdin)));
for (const operations of Object.values(document.paths)) {
  for (const operation of Object.values(operations)) {
    if (operation.parameters)
      operation.parameters = operation.parameters.filter(
        ({ in: place, name }) => place !== 'header' || !ADDED_BY_CLIENT.has(name.toLowerCase()),
      );
    for (const { content } of Object.values(operation.responses)) keepJson(content);
    // The client reads the headers of responses itself.
    for (const response of Object.values(operation.responses)) delete response.headers;
  }
}
for (const response of Object.values(document.components.responses)) delete response.headers;
delete document.components.headers;
process.stdout.write(astToString(await openapiTypescript(document, { alphabetize: true })));

/** Removes the other content types of a response that has JSON: the client reads JSON. */
function keepJson(content) {
  if (content === undefined || !('application/json' in content)) return;
  for (const type of Object.keys(content)) if (type !== 'application/json') delete content[type];
}

/** Returns a copy without the examples; fields of records with these names stay. */
function withoutExamples(part, isFieldList = false) {
  if (Array.isArray(part)) return part.map((each) => withoutExamples(each));
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([name]) => isFieldList || !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutExamples(value, !isFieldList && name === 'properties')]));
}
