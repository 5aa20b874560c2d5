export { saveAs } from './save-as.ts';
export { type CsvFile, saveCsv } from './save-csv.ts';
