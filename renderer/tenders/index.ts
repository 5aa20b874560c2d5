export { currentShiftQuery, openShiftsQuery } from './queries.ts';
export { tenderText } from './texts.ts';
export { usePrintTender } from './use-print-tender.ts';
