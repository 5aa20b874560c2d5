import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type ApprovalSubject, type Money, money } from '#core/kernel';
import { TRANSACTIONS, type TransactionRow } from './schema.ts';

const queries = queriesOn(TRANSACTIONS);

/** Returns facts about a payment by which an approver recognizes it. */
export function paymentFacts(row: TransactionRow): Readonly<Record<string, unknown>> {
  const { id: transactionId, type, card_brand: cardBrand, last4, order_id: orderId, created_at: createdAt } = row;
  return { transactionId, type, paymentMethod: row.method, cardBrand, last4, orderId, createdAt };
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
    resource: `transactions/${credit.id}`,
    amount,
    total: named === null ? amount : await totalReturned(work, named, amount),
    creditsOfDay: ofDay,
    details: paymentFacts(credit),
  };
}

async function totalReturned(work: Work, { id, refunded_minor, reserved_minor }: TransactionRow, amount: Money): Promise<Money> {
  const credited = await work.row(
    queries
      .selectFrom('transactions')
      .select(({ fn }) => fn.sum<number | null>('amount_minor').as('sum'))
      .where('tenant_id', '=', TENANT)
      .where('credit_of', '=', id)
      .where('credit_of', 'is not', null)
      .where('status', 'in', [lit('approved'), lit('pending')]),
  );
  return money(refunded_minor + reserved_minor + Number(credited?.sum ?? 0) + amount.minor, amount.currency);
}
