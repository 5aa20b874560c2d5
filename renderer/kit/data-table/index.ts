export type { BulkAction, ResultAction } from './bulk-action.ts';
export { BulkDialog } from './bulk-dialog.tsx';
export { figureColumn, moneyColumn, statusColumn, textColumn, timeColumn } from './columns.tsx';
export { inPages } from './in-pages.ts';
export { ListFilter } from './list-filter.tsx';
export { ListSkeleton } from './list-skeleton.tsx';
export { type ListQuery, RecordList } from './record-list.tsx';
export { Totals } from './totals.tsx';
export { WrappedText } from './wrapped-text.tsx';
