export { DataTable } from './data-table.tsx';
export { stepRows } from './step-rows.ts';
