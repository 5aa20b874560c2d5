export { escaped, paperOf } from './paper.ts';
