export { DataTable } from './data-table.tsx';
