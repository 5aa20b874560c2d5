import type { Invoice } from '#renderer/client';
import { isExpired } from '../words.ts';

export const ACTIONS = ['send', 'record', 'copy', 'qr', 'pdf', 'edit', 'cancel'] as const;
export type ActionId = (typeof ACTIONS)[number];

export const LABELS: Readonly<Record<ActionId, string>> = {
  send: 'Send',
  record: 'Record payment',
  copy: 'Copy link',
  qr: 'QR code',
  pdf: 'PDF',
  edit: 'Edit',
  cancel: 'Cancel',
};

const NO_ROLE = 'Your role does not allow this.';
const CANCELLED = 'It is cancelled.';
const WRITES: ReadonlySet<ActionId> = new Set(['send', 'record', 'edit', 'cancel']);

/**
 * Returns the reason why an action is not available; undefined if it is. Mirrors the service's transition table, which decides; this only
 * spares the user a refusal.
 */
export function barredReason(id: ActionId, invoice: Invoice, may: (permission: string) => boolean, nowMs: number): string | undefined {
  if (WRITES.has(id) && !may('invoices:write')) return NO_ROLE;
  const { status, kind, amountDue, amountPending } = invoice;
  switch (id) {
    case 'edit':
      if (!may('customers:read')) return NO_ROLE;
      if (kind === 'link') return 'A link is not changed: cancel it and make another.';
      if (status === 'cancelled') return CANCELLED;
      return status === 'draft' ? undefined : 'It was sent or paid on: cancel it and write another.';
    case 'send':
      if (status === 'cancelled') return CANCELLED;
      if (status === 'paid') return 'It is paid: nothing is left to ask for.';
      return isExpired(invoice, nowMs) ? 'The link has expired.' : undefined;
    case 'record':
      if (status === 'cancelled') return 'It is cancelled: nothing can be paid on it.';
      if (status === 'paid') return 'It is paid.';
      return amountPending >= amountDue ? 'A payment under way holds all that is due.' : undefined;
    case 'cancel':
      if (status === 'cancelled') return 'It is cancelled already.';
      if (status === 'paid') return 'It is paid: refund the payment instead.';
      return amountPending > 0 ? 'A payment is under way: wait for its outcome.' : undefined;
    case 'copy':
    case 'qr':
      return status === 'cancelled' ? 'It is cancelled: its page takes no payment.' : undefined;
    case 'pdf':
      return undefined;
  }
}
