export { ExportCsvButton } from './export-csv-button.tsx';
export { saveAs } from './save-as.ts';
export { saveCsv } from './save-csv.ts';
