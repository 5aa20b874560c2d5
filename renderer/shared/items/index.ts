export { LineItemList } from './line-item-list.tsx';
export { itemsQuery } from './queries.ts';
