/** Imports of files: stored in blocks under a claim with a lease, completed together, and removed whole if their request fails or its server ends. */
export { csvRows } from './csv-rows.ts';
export { foreignReason } from './foreign-formats.ts';
export {
  abandonImport,
  awaitUnfinished,
  beginImport,
  completeImport,
  type ImportKind,
  keepReading,
  leaseEnd,
  orAbandon,
} from './lifecycle.ts';
export { ColumnName, columnMapping, createHeaderSearch, mappedColumns, mappingOf, missingColumn, shownColumns } from './named-columns.ts';
export { removalJob } from './removal-job.ts';
