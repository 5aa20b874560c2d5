export { CodeNote } from './code-note.tsx';
export { codeBody, findGiftCard } from './queries.ts';
export { StoreCreditRefund } from './store-credit-refund.tsx';
export { usePrintCode } from './use-print-code.ts';
