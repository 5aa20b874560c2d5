/** Pages for people: the API explorer and the built screens. */
export { addDocs } from './docs.ts';
export { addRenderer } from './renderer.ts';
