import { type Refusal, refused, type Steps } from '#core/kernel';
import type { InvoiceStatus } from './schema.ts';

/**
 * Operations on an invoice. `pay` gives the state after a partial payment; a full payment makes the
 * invoice `paid`. `overdue` happens at the end of the due date.
 */
export type InvoiceOperation = 'update' | 'send' | 'pay' | 'cancel' | 'overdue';

const all = <Answer>(answer: Answer): Record<InvoiceOperation, Answer> => ({
  update: answer,
  send: answer,
  pay: answer,
  cancel: answer,
  overdue: answer,
});
const notDraft = refused('RESOURCE_CONFLICT', 'Only a draft can be changed. This invoice was sent or paid.', 'not_a_draft');
const open = { update: notDraft, cancel: 'cancelled', overdue: 'overdue' } satisfies Partial<
  Record<InvoiceOperation, InvoiceStatus | Refusal>
>;

export const INVOICE_STEPS = {
  draft: {
    update: 'draft',
    send: 'sent',
    pay: 'partially_paid',
    cancel: 'cancelled',
    overdue: refused('RESOURCE_CONFLICT', 'A draft is not due yet.', 'draft'),
  },
  sent: { ...open, send: 'sent', pay: 'partially_paid' },
  partially_paid: { ...open, send: 'partially_paid', pay: 'partially_paid' },
  overdue: {
    ...open,
    send: 'overdue',
    pay: 'overdue',
    overdue: refused('RESOURCE_CONFLICT', 'This invoice is already overdue.', 'overdue'),
  },
  paid: {
    ...all(refused('INVOICE_ALREADY_PAID', 'This invoice is paid.')),
    cancel: refused('INVOICE_ALREADY_PAID', 'This invoice is paid. Refund the payment instead.'),
  },
  cancelled: all(refused('INVOICE_CANCELLED', 'This invoice was canceled.')),
} satisfies Steps<InvoiceStatus, InvoiceOperation>;
