import type { Work } from '#core/database';
import { type Actor, money, storedCurrency } from '#core/kernel';
import { type Connector, type HostedPayment, type Outcome, outcomeOnPage, pageReferenceOf } from '#core/processing/gateways';
import { type GatewayReference, newAttempt } from '../attempts/attempts.ts';
import type { Dependencies } from '../dependencies.ts';
import { conclude } from '../outcomes/conclude.ts';
import { NO_PARTS, type Parts } from '../parts/parts.ts';
import type { Transaction } from '../records.ts';
import { readTransaction } from '../repository.ts';
import { newTransaction, type PaymentRequest, writePaymentIntent } from '../sale/submit-payment.ts';
import type { AttemptRow, TransactionRow } from '../schema.ts';
import { toTransaction } from '../transaction.ts';

/** Time before its record in which a payment on a page may have been made. */
const MADE_WITHIN_MS = 8 * 86_400_000;

/** A payment that a payer made on a page of the processor. */
export interface HostedPaymentInput {
  readonly merchantId: string;
  readonly via: GatewayReference;
  /** Reference of the page, under which the processor has the payment. */
  readonly processorRef: string;
  readonly payment: HostedPayment;
  readonly parts?: Parts;
  readonly discountMinor?: number;
  readonly details: Partial<TransactionRow>;
  /** Claims the page, and ties the payment to another record, in the unit of work of the intent. An error rejects the payment. */
  readonly claim: (work: Work, transactionId: string) => Promise<void>;
}

/**
 * Records a payment that was made on a page of the processor: the intent in one commit with its claim, then its outcome. Nothing is sent. Neither the
 * limits and fraud rules of the merchant apply nor whether it is closed, because the processor has taken the money.
 */
export async function recordHostedPayment(deps: Dependencies, actor: Actor, input: HostedPaymentInput): Promise<Transaction> {
  const { via, processorRef, payment, claim, parts = NO_PARTS, discountMinor } = input;
  const { brand, last4 } = payment.card;
  const request: PaymentRequest = {
    type: 'sale',
    method: 'card',
    amount: payment.amount,
    parts,
    discountMinor,
    merchant: await deps.merchantFor({ tenantId: actor.tenantId, merchantId: null }, input.merchantId),
    source: { kind: 'card-at-gateway', gatewayId: via.gateway_id ?? '', reference: '', brand, last4, expiryMonth: '', expiryYear: '' },
    sealed: null,
    token: '',
    channel: 'internet',
    skipsUseRules: true,
    intentHook: { prepare: claim },
    details: { ...input.details, source: 'link' },
  };
  const draft = {
    ...newTransaction(deps, actor, request, via),
    processor_ref: processorRef,
    gateway_reference: payment.reference,
    card_expiry: null,
  };
  const planned = newAttempt(
    deps,
    actor,
    { transactionId: draft.id, operation: 'sale', via, amountMinor: draft.amount_minor, parts, currency: draft.currency },
    processorRef,
  );
  const { row, attempt } = await writePaymentIntent(deps, actor, request, draft, planned);
  const result = await conclude(deps, attempt, outcomeOnPage({ kind: 'paid', payments: [payment] }, payment.amount), { transaction: row });
  return 'transaction' in result ? result.transaction : toTransaction(await readTransaction(deps.database.read(actor.tenantId), row.id));
}

/** Asks about a recorded payment on a page, after the process ended before its outcome was written. */
export async function inquireOnPage(
  { hostedPages }: Connector,
  row: TransactionRow,
  { tenant_id: tenantId, gateway_id: gatewayId, processor_ref: processorRef, amount_minor, currency, created_at }: AttemptRow,
): Promise<Outcome> {
  if (hostedPages === undefined) return { kind: 'unknown', cause: 'The gateway has no payment pages.', alert: 'processor-at-a-loss' };
  const amount = money(amount_minor, storedCurrency(currency));
  const at = new Date(Date.parse(created_at) - MADE_WITHIN_MS).toISOString();
  const status = await hostedPages.find({ tenantId, gatewayId, processorRef: pageReferenceOf(processorRef), amount, at });
  const payment = status.kind === 'paid' ? status.payments.find(({ reference }) => reference === row.gateway_reference) : undefined;
  return outcomeOnPage(payment === undefined ? status : { kind: 'paid', payments: [payment] }, money(row.amount_minor, amount.currency));
}
