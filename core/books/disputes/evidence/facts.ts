import type { ChargedInstallment } from '#core/billing/installments';
import type { PageVisit } from '#core/billing/invoicing';
import { listOf, queriesOn, TENANT } from '#core/database';
import { type Actor, type Currency, dateIn, formatDecimal, type Money, money, serviceActor } from '#core/kernel';
import type { Refund, TracedPayment, TransactionDetail } from '#core/sales/payments';
import { toAttachment } from '../attachments.ts';
import type { OwnDocument } from '../checklist.ts';
import type { Dependencies } from '../dependencies.ts';
import { toDispute } from '../dispute.ts';
import type { Dispute, DisputeAttachment } from '../records.ts';
import { DISPUTE_ATTACHMENTS, DISPUTES, type DisputeAttachmentRow, type DisputeRow } from '../schema.ts';
import { type EarlierPayment, type Qualification, qualifyForCompellingEvidence } from './compelling-evidence.ts';

/** A message that was sent about the payment or its invoice. */
export interface SentMessage {
  readonly kind: string;
  readonly channel: string;
  readonly to: string;
  readonly subject: string | null;
  readonly status: string;
  readonly sentAt: string | null;
  readonly createdAt: string;
}

export interface Consent {
  readonly text: string;
  readonly at: string | null;
}

/** Everything that Paydesk recorded about a disputed payment. */
export interface EvidenceFacts {
  readonly dispute: Dispute;
  readonly merchantName: string;
  readonly timeZone: string;
  readonly transaction: TransactionDetail;
  readonly traces: TracedPayment;
  readonly earlier: readonly TracedPayment[];
  /** Null for other schemes than Visa and other reasons than fraud. */
  readonly qualification: Qualification | null;
  readonly refunds: readonly Refund[];
  readonly messages: readonly SentMessage[];
  readonly invoice: {
    readonly invoiceId: string;
    readonly number: string;
    readonly sentAt: string | null;
    readonly paidOnPage: boolean;
    /** Visits of the pay page, oldest first. */
    readonly visits: readonly PageVisit[];
  } | null;
  readonly subscription: {
    readonly subscriptionId: string;
    readonly frequency: string;
    readonly startDate: string;
    readonly paymentsMade: number;
    readonly cancelledAt: string | null;
    readonly cancelledBy: string | null;
  } | null;
  /** The installment of an invoice that the payment charged. */
  readonly installment: ChargedInstallment | null;
  readonly consent: Consent | null;
  readonly attachments: readonly DisputeAttachment[];
  /** Documents of Paydesk that a pack includes. */
  readonly documents: readonly OwnDocument[];
  readonly audit: readonly object[];
}

const queries = queriesOn(DISPUTES);
const PAGE_MAX = { page: 1, limit: 200 } as const;
const AUDIT_MAX = 500;

/** Reads the records of a disputed payment. */
export async function gatherFacts(deps: Dependencies, row: DisputeRow): Promise<EvidenceFacts> {
  const { tenant_id: tenantId, transaction_id: transactionId } = row;
  const actor = serviceActor(tenantId);
  const { sources } = deps;
  const merchant = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const [transaction, traced, refunds, attachments] = await Promise.all([
    deps.payments.get(actor, transactionId),
    deps.payments.disputed.traces(tenantId, transactionId),
    deps.payments.refundPage(actor, { transactionId }, PAGE_MAX),
    attachmentRows(deps, row),
  ]);
  const { payment } = traced;
  const earlier = await markDisputed(deps, row, traced.earlier);
  const dispute = toDispute(row);
  const isVisaFraud = dispute.scheme === 'visa' && dispute.category === 'fraud';
  const earlierPayments: EarlierPayment[] = earlier.map((each) => ({ ...each, traces: tracesOf(each) }));
  const [invoice, subscription, installment] = await Promise.all([
    transaction.invoiceId === null ? null : sources.invoice(actor, transaction.invoiceId),
    transaction.subscriptionId === null ? null : sources.subscription(actor, transaction.subscriptionId),
    sources.installment(tenantId, transactionId),
  ]);
  const resources = [
    transactionId,
    transaction.invoiceId,
    transaction.subscriptionId,
    installment?.installmentPlanId ?? null,
    ...refunds.items.map(({ refundId }) => refundId),
  ];
  const messages = await Promise.all(
    resources.filter((id) => id !== null).map((resourceId) => sources.messages(actor, { resourceId }, PAGE_MAX)),
  );
  return {
    dispute,
    merchantName: merchant.name,
    timeZone: merchant.timezone,
    transaction,
    traces: payment,
    earlier,
    qualification: isVisaFraud ? qualifyForCompellingEvidence({ date: payment.date, traces: tracesOf(payment) }, earlierPayments) : null,
    refunds: refunds.items,
    messages: messages
      .flatMap(({ items }) => items)
      .map(({ kind, channel, to, subject, status, sentAt, createdAt }) => ({ kind, channel, to, subject, status, sentAt, createdAt }))
      .toSorted((left, right) => (left.createdAt < right.createdAt ? -1 : 1)),
    invoice:
      invoice === null
        ? null
        : {
            invoiceId: invoice.invoiceId,
            number: invoice.number,
            sentAt: invoice.sentAt,
            paidOnPage: invoice.payments.some((paid) => paid.transactionId === transactionId && paid.origin === 'page'),
            visits: await sources.invoiceVisits(tenantId, invoice.invoiceId),
          },
    subscription,
    installment,
    consent: installment ? { text: installment.consentText, at: installment.consentAt } : await consentOf(deps, actor, transaction),
    attachments: attachments.map(toAttachment),
    documents: invoice === null ? ['receipt'] : ['receipt', 'invoice'],
    audit: await auditSegment(deps, actor, [transactionId, row.id]),
  };
}

/** Marks the payments that were ever disputed: a won dispute moved its money back, but the payment is no undisputed one. */
async function markDisputed(
  deps: Dependencies,
  { tenant_id, merchant_id }: DisputeRow,
  earlier: readonly TracedPayment[],
): Promise<TracedPayment[]> {
  if (earlier.length === 0) return [];
  const rows = await deps.database.read(tenant_id).rows(
    queries
      .selectFrom('disputes')
      .select('transaction_id')
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchant_id)
      .where('transaction_id', 'in', listOf(earlier.map(({ transactionId }) => transactionId))),
  );
  const disputed = new Set(rows.map(({ transaction_id }) => transaction_id));
  return earlier.map((each) => ({ ...each, isDisputed: each.isDisputed || disputed.has(each.transactionId) }));
}

export const tracesOf = ({ context, customerId, customerEmail }: TracedPayment) => ({
  ipAddress: context.ipAddress ?? null,
  deviceId: context.deviceId ?? null,
  customerAccount: customerId ?? customerEmail,
  shippingAddress: context.shippingAddress ?? null,
});

export const attachmentRows = (deps: Dependencies, { tenant_id, id }: DisputeRow): Promise<DisputeAttachmentRow[]> =>
  deps.database.read(tenant_id).find(DISPUTE_ATTACHMENTS, { dispute_id: id }, { orderBy: [['id', 'asc']] });

async function consentOf(deps: Dependencies, actor: Actor, { customerId, token }: TransactionDetail): Promise<Consent | null> {
  if (customerId === null || token === null) return null;
  try {
    const methods = await deps.sources.methods(actor, customerId, PAGE_MAX);
    const method = methods.items.find((each) => each.token === token);
    return method?.consentText ? { text: method.consentText, at: method.consentAt } : null;
  } catch {
    // The customer was deleted, and the consent with it.
    return null;
  }
}

/** Returns the audit entries of the payment and of the dispute, oldest first. */
async function auditSegment(deps: Dependencies, actor: Actor, ids: readonly string[]): Promise<object[]> {
  const entries: { readonly at: string }[] = [];
  for (const resource of ids.map((id) => (id.startsWith('txn_') ? `transactions/${id}` : `disputes/${id}`)))
    for await (const block of deps.sources.auditEntries(actor, { resource })) entries.push(...block);
  return entries.toSorted((left, right) => (left.at < right.at ? -1 : 1)).slice(0, AUDIT_MAX);
}

/** Returns an amount with its currency, such as `49.99 USD`. */
export const amountText = (amount: Money) => `${formatDecimal(amount)} ${amount.currency}`;
export const minorText = (minor: number, currency: Currency) => amountText(money(minor, currency));

/** Returns the day of a time in the merchant's zone. */
export const dayText = ({ timeZone }: Pick<EvidenceFacts, 'timeZone'>, time: string): string => dateIn(timeZone, Date.parse(time));

/** Returns a time to the minute, such as `2026-11-24 16:49 UTC`. */
export const timeText = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** Returns a value such as `every_two_weeks` with a capital and spaces. */
export const sentenceText = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll('_', ' ')}`;

const ELEMENTS: Readonly<Record<string, string>> = {
  ipAddress: 'IP address',
  deviceId: 'device',
  customerAccount: 'customer account',
  shippingAddress: 'shipping address',
};

/** Names the common elements of payments: "IP address, device and shipping address". */
export function elementsText(elements: readonly string[]): string {
  const names = elements.map((element) => ELEMENTS[element] ?? element);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}
