export { DisputeForm } from './dispute-form.tsx';
export { DisputeNote } from './dispute-note.tsx';
export { disputeQuery, disputesOfPaymentQuery } from './queries.ts';
export { dueText, nextStepText, reasonText } from './texts.ts';
