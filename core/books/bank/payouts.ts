import { READABLE_PAYOUTS } from '#core/books/settlement';
import { lit, queriesOn, type Read, TENANT } from '#core/database';
import { BANK_ACCOUNTS, BANK_PAYOUTS, BANK_STATEMENTS, type BankAccountRow } from './schema.ts';

const queries = queriesOn(READABLE_PAYOUTS, BANK_ACCOUNTS, BANK_STATEMENTS, BANK_PAYOUTS);
const PAGE_ROWS = 5_000;

/** A payout with the part that bank lines cover. */
export interface PaidPayout {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly matchedMinor: number;
  readonly paidAt: string;
}

/** Paid payouts of a merchant in one currency, between two times. */
interface PayoutRange {
  readonly merchantId: string;
  readonly currency: string;
  readonly from: string;
  readonly until?: string;
  /** True for payouts that are not fully covered. */
  readonly isOpen?: boolean;
}

/** Yields paid payouts in pages, in order of their payment. */
export async function* paidPayouts(read: Read, { merchantId, currency, from, until, isOpen }: PayoutRange): AsyncGenerator<PaidPayout[]> {
  let base = queries
    .selectFrom('payouts')
    .leftJoin('bank_payouts', (join) =>
      join.onRef('bank_payouts.tenant_id', '=', 'payouts.tenant_id').onRef('bank_payouts.payout_id', '=', 'payouts.id'),
    )
    .select(({ fn }) => [
      'payouts.id',
      'payouts.reference',
      'payouts.currency',
      'payouts.amount_minor as amount',
      'payouts.paid_at as paid',
      fn.coalesce('bank_payouts.matched_minor', lit(0)).as('matched'),
    ])
    .where('payouts.tenant_id', '=', TENANT)
    .where('payouts.merchant_id', '=', merchantId)
    .where('payouts.currency', '=', currency)
    .where('payouts.status', '=', lit('paid'))
    .where('payouts.paid_at', 'is not', null)
    .orderBy('payouts.paid_at')
    .orderBy('payouts.id')
    .limit(PAGE_ROWS);
  if (until !== undefined) base = base.where('payouts.paid_at', '<', until);
  if (isOpen)
    base = base.where(({ eb, fn, ref }) => eb(fn.coalesce('bank_payouts.matched_minor', lit(0)), '<', ref('payouts.amount_minor')));
  let after = { paid: from, id: '' };
  for (;;) {
    const { paid, id } = after;
    const page = base
      .where('payouts.paid_at', '>=', paid)
      .where(({ eb, or }) => or([eb('payouts.paid_at', '>', paid), eb('payouts.id', '>', id)]));
    const rows = await read.rows(page);
    yield rows.map((row) => ({
      id: row.id,
      reference: row.reference,
      currency: row.currency,
      amountMinor: Number(row.amount),
      matchedMinor: Number(row.matched),
      paidAt: row.paid as string,
    }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = { paid: last.paid as string, id: last.id };
  }
}

/** Returns the references of all payouts of a merchant in one currency. */
export async function payoutReferences(read: Read, { merchant_id, currency }: BankAccountRow): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('payouts')
      .select('reference')
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchant_id)
      .where('currency', '=', currency),
  );
  return rows.map(({ reference }) => reference);
}

/**
 * Returns the first day with a line in the statements of a merchant, and the last one; null without a statement. A payout before the first day may
 * have reached the bank before the account was connected, so that it is never missing.
 */
export async function coveredDays(read: Read, merchantId: string, currency: string): Promise<{ first: string; last: string } | null> {
  const row = await read.row(
    queries
      .selectFrom('bank_accounts as a')
      .innerJoin('bank_statements as s', (join) => join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.account_id', '=', 'a.id'))
      .select(({ fn }) => [fn.min('s.first_day').as('first'), fn.max('s.last_day').as('last')])
      .where('a.tenant_id', '=', TENANT)
      .where('a.merchant_id', '=', merchantId)
      .where('a.currency', '=', currency)
      .where('s.status', '=', lit('ready')),
  );
  return row?.first && row.last ? { first: row.first, last: row.last } : null;
}
