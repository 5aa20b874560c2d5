import { no, type Refusal, type Steps } from '#core/kernel';
import type { InvoiceStatus } from './schema.ts';

/**
 * What may be done with an invoice (specification 3.4, decisions 2, 7, 11). `pay` leads to the state after a part of what is due; with all of it the
 * invoice is paid. `overdue` is the end of the day on which it is due.
 */
export type InvoiceOperation = 'update' | 'send' | 'pay' | 'cancel' | 'overdue';

const all = <Answer>(answer: Answer): Record<InvoiceOperation, Answer> => ({
  update: answer,
  send: answer,
  pay: answer,
  cancel: answer,
  overdue: answer,
});
const notDraft = no('RESOURCE_CONFLICT', 'Only a draft can be changed; this invoice has been sent or paid on.', 'not_a_draft');
const open = { update: notDraft, cancel: 'cancelled', overdue: 'overdue' } satisfies Partial<
  Record<InvoiceOperation, InvoiceStatus | Refusal>
>;

export const INVOICE_STEPS = {
  draft: {
    update: 'draft',
    send: 'sent',
    pay: 'partially_paid',
    cancel: 'cancelled',
    overdue: no('RESOURCE_CONFLICT', 'A draft is not due yet.', 'draft'),
  },
  sent: { ...open, send: 'sent', pay: 'partially_paid' },
  partially_paid: { ...open, send: 'partially_paid', pay: 'partially_paid' },
  overdue: { ...open, send: 'overdue', pay: 'overdue', overdue: no('RESOURCE_CONFLICT', 'This invoice is overdue already.', 'overdue') },
  paid: all(no('INVOICE_ALREADY_PAID', 'This invoice is paid.')),
  cancelled: all(no('INVOICE_CANCELLED', 'This invoice was cancelled.')),
} satisfies Steps<InvoiceStatus, InvoiceOperation>;
