export { methodOf, payerOf } from './payment-facts.ts';
export { currentShiftQuery, openShiftsQuery, refreshCash } from './queries.ts';
export { TenderView } from './tender-view.tsx';
export { tenderText } from './texts.ts';
export { usePrintTender } from './use-print-tender.ts';
