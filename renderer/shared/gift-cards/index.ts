export { CodeActions } from './code-actions.tsx';
export { CodeNote } from './code-note.tsx';
export { codeBody, findGiftCard } from './queries.ts';
export { StoreCreditRefund } from './store-credit-refund.tsx';
