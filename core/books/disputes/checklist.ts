import type { DisputeCategory } from '#shared/dispute-reasons';

/** Items that may support a dispute. Attachments provide those that Paydesk does not record itself. */
export const EVIDENCE_ITEMS = [
  'transaction',
  'checks',
  'receipt',
  'signed_copy',
  'consent',
  'invoice',
  'subscription',
  'messages',
  'refunds',
  'cancellation',
  'earlier_payments',
  'compelling_evidence',
  'delivery',
  'correspondence',
  'policy',
] as const;
export type EvidenceItem = (typeof EVIDENCE_ITEMS)[number];

/** Documents that Paydesk itself adds to a pack. */
export const OWN_DOCUMENTS = ['receipt', 'invoice'] as const;
export type OwnDocument = (typeof OWN_DOCUMENTS)[number];

/** `not_kept`: Paydesk did not record it for this payment, and an attachment cannot replace it. */
export const EVIDENCE_STATES = ['found', 'missing', 'not_kept'] as const;
export type EvidenceState = (typeof EVIDENCE_STATES)[number];

export const EVIDENCE_LABELS: Readonly<Record<EvidenceItem, string>> = {
  transaction: 'Transaction record',
  checks: 'Address and security code checks',
  receipt: 'Receipt',
  signed_copy: 'Signed copy',
  consent: 'Consent to store and charge the payment method',
  invoice: 'Invoice',
  subscription: 'Subscription or installment plan',
  messages: 'Messages to the customer',
  refunds: 'Refunds given',
  cancellation: 'Cancellation date',
  earlier_payments: 'Earlier undisputed payments',
  compelling_evidence: 'Visa Compelling Evidence 3.0',
  delivery: 'Proof of delivery or service',
  correspondence: 'Correspondence with the customer',
  policy: 'Terms and refund policy',
};

const COMMON: readonly EvidenceItem[] = ['transaction', 'checks', 'receipt', 'invoice', 'messages', 'refunds'];

/** Further items by the kind of the reason, the most important first. */
const BY_CATEGORY: Readonly<Record<DisputeCategory, readonly EvidenceItem[]>> = {
  fraud: ['compelling_evidence', 'earlier_payments', 'signed_copy', 'consent', 'delivery', 'correspondence'],
  authorization: ['signed_copy'],
  duplicate: ['correspondence'],
  amount: ['signed_copy', 'consent', 'correspondence'],
  processing: ['signed_copy'],
  not_received: ['delivery', 'signed_copy', 'correspondence', 'policy'],
  not_as_described: ['policy', 'delivery', 'correspondence'],
  cancelled_recurring: ['subscription', 'consent', 'cancellation', 'policy', 'earlier_payments', 'correspondence'],
  cancelled: ['cancellation', 'policy', 'delivery', 'correspondence'],
  credit_not_processed: ['policy', 'cancellation', 'correspondence'],
  general: ['signed_copy', 'consent', 'delivery', 'earlier_payments', 'correspondence', 'policy'],
};

/** Returns the items of a kind of reason, in the order of the list on the screen. */
export function itemsOf(category: DisputeCategory): readonly EvidenceItem[] {
  const wanted = new Set([...COMMON, ...BY_CATEGORY[category]]);
  return [...BY_CATEGORY[category], ...COMMON].filter((item) => wanted.has(item));
}
