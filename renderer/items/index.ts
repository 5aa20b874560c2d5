export { itemsQuery } from './queries.ts';
