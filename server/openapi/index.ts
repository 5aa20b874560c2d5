export { openApiDocument } from './document.ts';
export { ERROR_CATALOG, exampleOfError } from './error-catalog.ts';
