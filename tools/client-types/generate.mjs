// Reads an OpenAPI document on standard input and writes its TypeScript types to standard output.
import { text } from 'node:stream/consumers';
import openapiTypescript, { astToString } from 'openapi-typescript';

const types = await openapiTypescript(JSON.parse(await text(process.stdin)), { alphabetize: true });
process.stdout.write(astToString(types));
