/** Pages for people: the API explorer, the built screens, the pay page and the card fields for shops. */
export { addDocs } from './docs.ts';
export { addHostedFields, HOSTED_FIELDS } from './fields/routes.ts';
export { addPayPages } from './pay/routes.ts';
export { addRenderer } from './renderer.ts';
