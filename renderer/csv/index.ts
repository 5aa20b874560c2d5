export { type CsvFile, saveCsv } from './save-csv.ts';
