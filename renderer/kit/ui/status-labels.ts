import { t } from '#renderer/base/language';

/**
 * Labels of statuses by the kind of record, because adjectives agree with the noun in some languages: "Aprobada" for a transaction, "Aprobado" for a
 * payment. A kind or status that is not in the table has the label of the status itself.
 */
const LABELS = {
  transaction: {
    approved: t('Approved', { context: 'transaction' }),
    authorized: t('Authorized', { context: 'transaction' }),
    captured: t('Captured', { context: 'transaction' }),
    settled: t('Settled', { context: 'transaction' }),
    declined: t('Declined', { context: 'transaction' }),
    failed: t('Failed', { context: 'transaction' }),
    voided: t('Voided', { context: 'transaction' }),
    returned: t('Returned', { context: 'transaction' }),
    refunded: t('Refunded', { context: 'transaction' }),
    full: t('Refunded', { context: 'transaction' }),
  },
  invoice: {
    sent: t('Sent', { context: 'invoice' }),
    partially_paid: t('Partially paid', { context: 'invoice' }),
    paid: t('Paid', { context: 'invoice' }),
    overdue: t('Overdue', { context: 'invoice' }),
    cancelled: t('Canceled', { context: 'invoice' }),
  },
  order: {
    open: t('Open', { context: 'order' }),
    parked: t('Parked', { context: 'order' }),
    paid: t('Paid', { context: 'order' }),
    canceled: t('Canceled', { context: 'order' }),
  },
  settlement: {
    partially_paid: t('Partially paid', { context: 'settlement' }),
    paid: t('Paid', { context: 'settlement' }),
  },
  payout: {
    pending: t('On its way'),
    processing: t('On its way'),
    paid: t('Paid', { context: 'payout' }),
    failed: t('Failed', { context: 'payout' }),
  },
  dispute: {
    open: t('Open', { context: 'dispute' }),
  },
  subscription: {
    active: t('Active', { context: 'subscription' }),
    past_due: t('Past due', { context: 'subscription' }),
    cancelled: t('Canceled', { context: 'subscription' }),
    expired: t('Expired', { context: 'subscription' }),
  },
  installment: {
    scheduled: t('Scheduled', { context: 'installment' }),
    past_due: t('Past due', { context: 'installment' }),
    paid: t('Paid', { context: 'installment' }),
    canceled: t('Canceled', { context: 'installment' }),
  },
  approval: {
    approved: t('Approved', { context: 'approval' }),
    rejected: t('Rejected', { context: 'approval' }),
    expired: t('Expired', { context: 'approval' }),
  },
  line: {
    open: t('Open', { context: 'line' }),
    matched: t('Matched', { context: 'line' }),
    resolved: t('Resolved', { context: 'line' }),
  },
  delivery: {
    delivered: t('Delivered', { context: 'delivery' }),
    failed: t('Failed', { context: 'delivery' }),
  },
  apiKey: {
    active: t('Active', { context: 'key' }),
    expired: t('Expired', { context: 'key' }),
    revoked: t('Revoked', { context: 'key' }),
  },
  gateway: {
    active: t('Active', { context: 'gateway' }),
    disabled: t('Disabled', { context: 'gateway' }),
  },
  backup: {
    made: t('Created', { context: 'backup' }),
    checked: t('Checked', { context: 'backup' }),
    failed: t('Failed', { context: 'backup' }),
  },
  job: {
    overdue: t('Overdue', { context: 'job' }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A kind of record whose statuses have labels of their own. */
export type RecordKind = keyof typeof LABELS;

/** Returns the label of a status of a kind of record, if it has one of its own. */
export const labelOfKind = (kind: RecordKind, state: string): string | undefined =>
  (LABELS[kind] as Readonly<Record<string, string>>)[state];
