import type { PageVisit } from '#core/billing/invoicing';
import type { PayerContext } from '#core/sales/payments';
import { EVIDENCE_LABELS, type EvidenceItem, type EvidenceState, itemsOf } from '../checklist.ts';
import type { ChecklistEntry } from '../records.ts';
import { amountText, dayText, type EvidenceFacts, elementsText, sentenceText } from './facts.ts';

type Assessment = readonly [state: EvidenceState, detail: string];

const found = (detail: string): Assessment => ['found', detail];
const missing = (detail: string): Assessment => ['missing', detail];
const notKept = (detail: string): Assessment => ['not_kept', detail];
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
/** Returns the day of a time. */
type DayOf = (time: string) => string;

/** Results of the checks by the code of the issuer. */
export const AVS_TEXTS: Readonly<Record<string, string>> = {
  Y: 'street and ZIP code match',
  A: 'the street matches, the ZIP code does not',
  Z: 'the ZIP code matches',
  N: 'street and ZIP code do not match',
};
export const CVV_TEXTS: Readonly<Record<string, string>> = {
  M: 'matches',
  N: 'does not match',
  P: 'was not checked',
  U: 'is not supported by the bank',
};

/** Returns the number and the period of the kept visits of a pay page, and those by the device of the payment. */
function visitsText(visits: readonly PageVisit[], { deviceId }: PayerContext, day: DayOf): string {
  const [first] = visits;
  if (first === undefined) return 'No visit of its pay page is on record.';
  const sum = (counted: readonly PageVisit[]) => counted.reduce((total, visit) => total + visit.visits, 0);
  const last =
    visits
      .map(({ lastAt }) => lastAt)
      .toSorted()
      .at(-1) ?? first.lastAt;
  const count = sum(visits);
  const period = day(first.firstAt) === day(last) ? `on ${day(last)}` : `from ${day(first.firstAt)} to ${day(last)}`;
  const own = deviceId === undefined ? 0 : sum(visits.filter((visit) => visit.deviceId === deviceId));
  const byDevice = own === 0 ? '' : own === count ? ', by the device that paid' : `, ${own} of them by the device that paid`;
  return `Its pay page was opened ${count === 1 ? 'once' : `${count} times`} ${period}${byDevice}.`;
}

/** Assessments of the items that Paydesk records. The others consist of attachments. Days are those of the merchant, as on its receipts. */
const ASSESSMENTS: Readonly<Partial<Record<EvidenceItem, (facts: EvidenceFacts, day: DayOf) => Assessment>>> = {
  transaction: ({ transaction }, day) =>
    found(
      `${amountText(transaction.amount)} on ${day(transaction.createdAt)}, authorization ${transaction.authCode ?? 'without a code'}, reference ${transaction.processorRef}.`,
    ),
  checks: ({ transaction: { avsResponse, cvvResponse } }) => {
    const texts = [
      avsResponse === null ? null : `${sentenceText(AVS_TEXTS[avsResponse] ?? `result of the address check ${avsResponse}`)}.`,
      cvvResponse === null ? null : `The security code ${CVV_TEXTS[cvvResponse] ?? `has the result ${cvvResponse}`}.`,
    ].filter((text) => text !== null);
    return texts.length === 0 ? notKept('The payment was made without address and security code checks.') : found(texts.join(' '));
  },
  receipt: ({ messages, documents }, day) => {
    const sent = messages.filter(({ kind }) => kind === 'receipt');
    const delivered = sent.find(({ status }) => status === 'sent');
    if (delivered) return found(`Sent to ${delivered.to} on ${day(delivered.sentAt ?? delivered.createdAt)}.`);
    if (!documents.includes('receipt')) return missing('No receipt was delivered or included.');
    return found(sent.length > 0 ? 'A copy is included.' : 'A copy is included; it was not sent by message.');
  },
  consent: ({ consent, transaction }, day) => {
    if (consent) return found(`“${consent.text}”${consent.at === null ? '' : `, given on ${day(consent.at)}`}.`);
    return transaction.customerId === null
      ? missing('The payment method was not stored, and no consent is attached.')
      : missing('No consent text is on record.');
  },
  invoice: ({ invoice, traces }, day) => {
    if (invoice === null) return notKept('The payment was not for an invoice.');
    const sent = invoice.sentAt === null ? 'not sent by Paydesk' : `sent on ${day(invoice.sentAt)}`;
    const paid = invoice.paidOnPage ? ', paid by the payer on its pay page' : '';
    return found(`${invoice.number}, ${sent}${paid}. ${visitsText(invoice.visits, traces.context, day)}`);
  },
  subscription: ({ subscription, installment }, day) => {
    if (installment)
      return found(
        `Installment ${installment.number} of ${installment.installmentCount} by plan ${installment.installmentPlanId}, agreed on ${day(installment.createdAt)}.`,
      );
    return subscription === null
      ? notKept('The payment does not belong to a subscription or an installment plan.')
      : found(
          `${sentenceText(subscription.frequency)} since ${subscription.startDate}, ${plural(subscription.paymentsMade, 'payment')} made.`,
        );
  },
  messages: ({ messages }, day) => {
    const delivered = messages.filter(({ status }) => status === 'sent');
    if (messages.length === 0) return missing('No message was sent about this payment.');
    const last = delivered.at(-1);
    if (last === undefined) return missing(`${plural(messages.length, 'message')} about this payment, not delivered.`);
    return found(`${plural(delivered.length, 'message')} delivered, the last on ${day(last.sentAt ?? last.createdAt)}.`);
  },
  refunds: ({ refunds }, day) => {
    const given = refunds.filter(({ status }) => status === 'approved');
    return given.length === 0
      ? found('No refund was given.')
      : found(
          given
            .map(({ amount, refundedAt, createdAt }) => `${amountText(amount)} on ${day(refundedAt ?? createdAt)}`)
            .join(', ')
            .concat('.'),
        );
  },
  cancellation: ({ subscription, installment }, day) => {
    const at = installment?.canceledAt ?? subscription?.cancelledAt;
    if (at) return found(`Canceled on ${day(at)} by ${installment?.canceledBy ?? subscription?.cancelledBy ?? 'an unknown person'}.`);
    if (installment) return found('The installment plan was not canceled.');
    return subscription === null ? missing('No cancellation is on record or attached.') : found('The subscription was not canceled.');
  },
  earlier_payments: ({ earlier }) => {
    const undisputed = earlier.filter(({ isDisputed }) => !isDisputed);
    return undisputed.length === 0
      ? missing('There is no earlier payment of this card.')
      : found(
          `${undisputed.length} undisputed ${undisputed.length === 1 ? 'payment' : 'payments'} of the same card, the first on ${undisputed.at(-1)?.date}.`,
        );
  },
  compelling_evidence: ({ qualification, traces }) => {
    if (qualification === null) return notKept('This applies to Visa fraud disputes only.');
    if (qualification.qualifies)
      return found(
        `Qualifies. Payments on ${qualification.payments.map(({ date }) => date).join(' and ')} share ${elementsText(qualification.payments[0]?.elements ?? [])}.`,
      );
    if (traces.context.ipAddress === undefined && traces.context.deviceId === undefined)
      return notKept('The IP address and device of this payment were not kept.');
    return missing('There are not two undisputed payments, 120 to 365 days earlier, with two matching elements.');
  },
};

/** Returns the checklist of a dispute by its reason. An attachment makes any item found. */
export function checklistOf(facts: EvidenceFacts): ChecklistEntry[] {
  const day: DayOf = (time) => dayText(facts, time);
  return itemsOf(facts.dispute.category).map((item) => {
    const attached = facts.attachments.filter((attachment) => attachment.item === item);
    const [state, detail] = ASSESSMENTS[item]?.(facts, day) ?? missing('No document is attached.');
    const names = attached.map(({ name }) => name).join(', ');
    const label = item === 'subscription' && facts.installment ? 'Installment plan' : EVIDENCE_LABELS[item];
    if (attached.length === 0) return { item, label, state, detail };
    return { item, label, state: 'found', detail: state === 'found' ? `${detail} Attached: ${names}.` : `Attached: ${names}.` };
  });
}
