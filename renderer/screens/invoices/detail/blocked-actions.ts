import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { isExpired } from '../texts.ts';

export const ACTIONS = ['send', 'record', 'installments', 'copy', 'qr', 'pdf', 'edit', 'cancel'] as const;
export type ActionId = (typeof ACTIONS)[number];

const LABELS: Readonly<Record<ActionId, string>> = {
  send: t('Send'),
  record: t('Record payment'),
  installments: t('Pay in installments'),
  copy: t('Copy link'),
  qr: t('QR code'),
  pdf: 'PDF',
  edit: t('Edit'),
  cancel: t('Cancel invoice'),
};

/** Returns the label of an action on an invoice or a payment link. */
export const labelOf = (id: ActionId, kind: Invoice['kind']) => (id === 'cancel' && kind === 'link' ? t('Cancel link') : LABELS[id]);

const NO_PERMISSION = t('Your role does not allow this.');
const CANCELED = t('It is canceled.');
const WRITE_ACTIONS: ReadonlySet<ActionId> = new Set(['send', 'record', 'edit', 'cancel']);

/**
 * Returns the reason why an action is not available; undefined if it is. Mirrors the service's transition table, which decides; this only
 * spares the user a refusal.
 */
export function blockedReason(
  id: ActionId,
  invoice: Invoice,
  may: (permission: string) => boolean,
  nowMs: number,
  hasPlan: boolean,
): string | undefined {
  if (WRITE_ACTIONS.has(id) && !may('invoices:write')) return NO_PERMISSION;
  const { status, kind, amountDue, amountPending } = invoice;
  switch (id) {
    case 'installments':
      if (!may('recurring:write') || !may('customers:read')) return NO_PERMISSION;
      if (status === 'cancelled') return CANCELED;
      if (status === 'paid') return t('It is paid.');
      if (invoice.customerId === null) return t('The customer was deleted.');
      if (hasPlan) return t('It is already paid in installments.');
      return amountPending > 0 ? t('A payment is pending. Wait for its outcome.') : undefined;
    case 'edit':
      if (!may('customers:read')) return NO_PERMISSION;
      if (kind === 'link') return t('A payment link can’t be edited. Cancel it and create another.');
      if (status === 'cancelled') return CANCELED;
      if (hasPlan) return t('It is paid in installments. Cancel the plan first.');
      return status === 'draft' ? undefined : t('It was already sent or paid. Cancel it and create another.');
    case 'send':
      if (status === 'cancelled') return CANCELED;
      if (status === 'paid') return t('It is paid in full.');
      return isExpired(invoice, nowMs) ? t('The link has expired.') : undefined;
    case 'record':
      if (status === 'cancelled') return t('It is canceled and can’t be paid.');
      if (status === 'paid') return t('It is paid.');
      return amountPending >= amountDue ? t('A pending payment covers the full amount due.') : undefined;
    case 'cancel':
      if (status === 'cancelled') return t('It is already canceled.');
      if (status === 'paid') return t('It is paid. Refund the payment instead.');
      return amountPending > 0 ? t('A payment is pending. Wait for its outcome.') : undefined;
    case 'copy':
    case 'qr':
      return status === 'cancelled' ? t('It is canceled. Its page accepts no payments.') : undefined;
    case 'pdf':
      return undefined;
  }
}
