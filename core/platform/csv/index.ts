export { createCsvReader, delimiterOf, type Row } from '#shared/csv';
export { disarmFormulas, restoreFormulas } from './formulas.ts';
