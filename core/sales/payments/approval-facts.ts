import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type ApprovalSubject, type Money, money, type RefundFacts, storedCurrency, toNumber } from '#core/kernel';
import { lockTransaction } from './repository.ts';
import { TRANSACTIONS, type TransactionRow } from './schema.ts';

const queries = queriesOn(TRANSACTIONS);

/** Returns facts about a payment by which an approver recognizes it. */
export function paymentFacts(row: TransactionRow): Readonly<Record<string, unknown>> {
  const { id: transactionId, type, card_brand: cardBrand, last4, order_id: orderId, created_at: createdAt } = row;
  const { customer_id: customerId, customer_name: customerName, amount_minor: minor, currency } = row;
  const payment = { paymentMethod: row.method, paymentAmount: toNumber(money(minor, storedCurrency(currency))), paymentCurrency: currency };
  return { transactionId, type, ...payment, cardBrand, last4, orderId, createdAt, customerId, customerName };
}

/**
 * Returns a refund as the approver sees it. The rule compares the sum of all refunds and credits of the payment, so that several small ones are not
 * below its limit. The payment is locked.
 */
export async function refundSubject(work: Work, row: TransactionRow, amount: Money, reason: string | null): Promise<ApprovalSubject> {
  return {
    kind: 'refund',
    merchantId: row.merchant_id,
    resource: `transactions/${row.id}`,
    amount,
    total: await totalReturned(work, row, amount),
    details: { ...paymentFacts(row), reason },
  };
}

/**
 * Returns a credit as the approver sees it, with the sums that the rule for refunds compares. The payment that it names, if any, and the merchant are
 * locked.
 */
export async function creditSubject(
  work: Work,
  named: TransactionRow | null,
  credit: TransactionRow,
  amount: Money,
  ofDay: Money,
): Promise<ApprovalSubject> {
  return {
    kind: 'unlinked_credit',
    merchantId: credit.merchant_id,
    // The credit does not exist yet. The approved operation creates one with another ID.
    resource: named === null ? 'transactions' : `transactions/${named.id}`,
    amount,
    total: named === null ? amount : await totalReturned(work, named, amount),
    creditsOfDay: ofDay,
    details: { ...paymentFacts(credit), transactionId: named?.id ?? null },
  };
}

/** Locks a payment. Returns the facts of a refund of it for the approver, and the sum of its refunds and credits, in minor units. */
export async function lockForRefund(work: Work, transactionId: string): Promise<RefundFacts> {
  const row = await lockTransaction(work, transactionId);
  return { details: paymentFacts(row), returnedMinor: await returnedMinor(work, row) };
}

async function totalReturned(work: Work, row: TransactionRow, amount: Money): Promise<Money> {
  return money((await returnedMinor(work, row)) + amount.minor, amount.currency);
}

async function returnedMinor(work: Work, { id, refunded_minor, reserved_minor }: TransactionRow): Promise<number> {
  const credited = await work.row(
    queries
      .selectFrom('transactions')
      .select(({ fn }) => fn.sum<number | null>('amount_minor').as('sum'))
      .where('tenant_id', '=', TENANT)
      .where('credit_of', '=', id)
      .where('credit_of', 'is not', null)
      .where('status', 'in', [lit('approved'), lit('pending')]),
  );
  return refunded_minor + reserved_minor + Number(credited?.sum ?? 0);
}
