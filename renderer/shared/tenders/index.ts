export { methodOf, payerOf } from './payment-facts.ts';
export { currentShiftQuery, openShiftsQuery, refreshCash, shiftQuery } from './queries.ts';
export { RoundingNote } from './rounding-note.tsx';
export { ShiftLinks, shiftName } from './shift-links.tsx';
export { TenderView } from './tender-view.tsx';
export { tenderText } from './texts.ts';
export { usePrintTender } from './use-print-tender.ts';
