import { READABLE_PAYOUTS } from '#core/books/settlement';
import { lit, queriesOn, type Read, TENANT } from '#core/database';
import { addDays, type Currency, dateIn, money, startOfDate } from '#core/kernel';
import type { Caller, Dependencies } from './dependencies.ts';
import { lastExpectedDay } from './matching/business-days.ts';
import { suggestedPayouts } from './matching/stored-suggestions.ts';
import type { OpenPayout } from './records.ts';
import { BANK_ACCOUNTS, BANK_PAYOUTS, BANK_STATEMENTS, type BankAccountRow } from './schema.ts';

const queries = queriesOn(READABLE_PAYOUTS, BANK_ACCOUNTS, BANK_STATEMENTS, BANK_PAYOUTS);
const PAGE_ROWS = 5_000;

/** A payout with the part that bank lines cover. */
interface PaidPayout {
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

const LISTED_MAX = 500;
/** Days before a statement that contain the business days of a transfer, with weekends and holidays. */
const EARLIER_DAYS = 14;

/** Returns the payouts of a merchant that bank lines do not cover, and whose transfer may be in a statement, oldest first, at most 500. */
export async function openPayouts(
  deps: Dependencies,
  actor: Caller,
  input: { readonly merchantId?: string; readonly currency?: string },
): Promise<OpenPayout[]> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const currency = input.currency ?? merchant.currency;
  const read = deps.database.read(actor.tenantId);
  const covered = await coveredDays(read, merchant.merchantId, currency);
  if (!covered) return [];
  const from = new Date(startOfDate(merchant.timezone, addDays(covered.first, -EARLIER_DAYS))).toISOString();
  const found: PaidPayout[] = [];
  for await (const page of paidPayouts(read, { merchantId: merchant.merchantId, currency, from, isOpen: true })) {
    found.push(...page.filter((paid) => expectedDayOf(paid, merchant.timezone) >= covered.first));
    if (found.length >= LISTED_MAX) break;
  }
  const listed = found.slice(0, LISTED_MAX);
  const suggested = await suggestedPayouts(
    read,
    listed.map(({ id }) => id),
  );
  return listed.map((paid) => toOpenPayout(paid, merchant.timezone, covered, suggested));
}

const dayOf = ({ paidAt }: PaidPayout, timeZone: string) => dateIn(timeZone, Date.parse(paidAt));
const expectedDayOf = (payout: PaidPayout, timeZone: string) => lastExpectedDay(dayOf(payout, timeZone), payout.currency);

/** Returns a payout with the day until which it is expected. */
function toOpenPayout(
  payout: PaidPayout,
  timeZone: string,
  covered: { readonly first: string; readonly last: string },
  suggested: ReadonlySet<string>,
): OpenPayout {
  const currency = payout.currency as Currency;
  const day = dayOf(payout, timeZone);
  const expectedBy = expectedDayOf(payout, timeZone);
  return {
    payoutId: payout.id,
    reference: payout.reference,
    paidAt: payout.paidAt,
    day,
    currency,
    amount: money(payout.amountMinor, currency),
    remaining: money(payout.amountMinor - payout.matchedMinor, currency),
    expectedBy,
    missing: day >= covered.first && covered.last > expectedBy && !suggested.has(payout.id),
  };
}
