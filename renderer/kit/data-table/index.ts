export type { BulkAction } from './bulk-action.ts';
export { inPages } from './in-pages.ts';
export { RecordList } from './record-list.tsx';
export { Totals } from './totals.tsx';
export { WrappedText } from './wrapped-text.tsx';
