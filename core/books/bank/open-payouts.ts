import { addDays, type Caller, type Currency, dateIn, money, startOfDate } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { lastExpectedDay } from './matching/business-days.ts';
import { suggestedPayouts } from './matching/stored-suggestions.ts';
import { coveredDays, type PaidPayout, paidPayouts } from './payouts.ts';
import type { OpenPayout } from './records.ts';

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
