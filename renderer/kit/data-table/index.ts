export { DataTable } from './data-table.tsx';
export { stepRows } from './step-rows.ts';
export { WrappedText } from './wrapped-text.tsx';
