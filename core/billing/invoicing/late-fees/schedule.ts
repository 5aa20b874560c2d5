import { addDays, dateIn, instantOn, type TenantTime, tenantTime } from '#core/kernel';
import type { LateFeeSettings } from '#core/processing/merchants';
import { monthsLater } from '#shared/calendar';

/** Local time of the run, in which no day of any time zone begins or ends. */
const RUN_AT = '06:00';
/** Days for which a fee that could not be charged on its day is charged later. */
const LATE_DAYS = 7;
const HUNDRED_PERCENT = 10_000;

type Calendar = Pick<LateFeeSettings, 'graceDays' | 'repeat'>;

/** Facts of an invoice that decide when it is charged a late fee. Days are local days of the merchant; amounts are in minor units. */
export interface FeeFacts {
  readonly dueDate: string;
  readonly currency: string;
  /** Amount of the invoice without late fees, and its unpaid part. */
  readonly amountMinor: number;
  readonly unpaidMinor: number;
  /** Sum of the fees that were not reversed, and the last charged period; 0 without any. */
  readonly feesMinor: number;
  readonly lastPeriod: number;
  readonly promisedDate: string | null;
  /** First day on which fees are charged. */
  readonly sinceDay: string;
}

/** A fee with its period and day. */
export interface PlannedFee {
  readonly period: number;
  readonly day: string;
  readonly amountMinor: number;
}

/** Returns the time of the first run after a time. */
export function nextRun(zone: string, afterMs: number): TenantTime {
  const day = dateIn(zone, afterMs);
  const today = instantOn(zone, day, RUN_AT);
  return tenantTime(today > afterMs ? today : instantOn(zone, addDays(day, 1), RUN_AT));
}

/** Returns the day of the fee of a period: the one after the days of grace, or weeks or months later. Null if fees are not repeated. */
export function dayOfPeriod(dueDate: string, period: number, { graceDays, repeat }: Calendar): string | null {
  const first = addDays(dueDate, graceDays + 1);
  if (period === 1) return first;
  if (repeat === 'weekly') return addDays(first, 7 * (period - 1));
  return repeat === 'monthly' ? monthsLater(first, period - 1) : null;
}

/** Returns the last due date whose invoices can be charged on a day. */
export const lastDueDate = (day: string, { graceDays }: Calendar): string => addDays(day, -graceDays - 1);

/** Returns the first due date whose invoices can be charged on a day: fees that are not repeated end after some days. */
export const firstDueDate = (day: string, { graceDays, repeat }: Calendar): string | null =>
  repeat === 'never' ? addDays(day, -graceDays - 1 - LATE_DAYS) : null;

/**
 * Returns the fee of an invoice: the fixed sum in the currency of the merchant, or the percentage of the unpaid amount without fees, up to the ceiling for
 * all fees; 0 for none. Halves are rounded up.
 */
export function feeAmount(
  facts: FeeFacts,
  settings: LateFeeSettings,
  merchant: { readonly currency: string; readonly fixedMinor: number },
): number {
  const { amountMinor, unpaidMinor, feesMinor } = facts;
  const share = (minor: number, percent: number) => Math.floor((minor * Math.round(percent * 100) + HUNDRED_PERCENT / 2) / HUNDRED_PERCENT);
  const ceiling = share(amountMinor, settings.ceilingPercent) - feesMinor;
  const fee =
    settings.kind === 'percent' ? share(unpaidMinor, settings.percent) : facts.currency === merchant.currency ? merchant.fixedMinor : 0;
  return unpaidMinor <= 0 ? 0 : Math.max(0, Math.min(fee, ceiling));
}

/** Returns the period that is charged on a day: the last one whose day has come, unless it or a later one was charged; null for none. */
export function periodOn(facts: FeeFacts, settings: Calendar, day: string): { readonly period: number; readonly day: string } | null {
  let found: { period: number; day: string } | null = null;
  for (let period = 1; ; period += 1) {
    const at = dayOfPeriod(facts.dueDate, period, settings);
    if (at === null || at > day) break;
    const isExpected = at >= facts.sinceDay && (facts.promisedDate === null || at > facts.promisedDate);
    if (period > facts.lastPeriod && isExpected && at >= addDays(day, -LATE_DAYS)) found = { period, day: at };
  }
  return found;
}

/** Returns the next fees of an invoice that stays unpaid, at most `max` of them. */
export function nextFees(
  facts: FeeFacts,
  settings: LateFeeSettings,
  merchant: { readonly currency: string; readonly fixedMinor: number },
  { today, max }: { readonly today: string; readonly max: number },
): PlannedFee[] {
  const planned: PlannedFee[] = [];
  let { feesMinor, lastPeriod } = facts;
  const due = periodOn(facts, settings, today);
  for (let period = due?.period ?? 1; planned.length < max; period += 1) {
    const day = dayOfPeriod(facts.dueDate, period, settings);
    if (day === null) break;
    const isPast = day < today && period !== due?.period;
    const isPaused = day < facts.sinceDay || (facts.promisedDate !== null && day <= facts.promisedDate);
    if (period <= lastPeriod || isPast || isPaused) continue;
    const amountMinor = feeAmount({ ...facts, feesMinor }, settings, merchant);
    if (amountMinor === 0) break;
    planned.push({ period, day: day < today ? today : day, amountMinor });
    feesMinor += amountMinor;
    lastPeriod = period;
  }
  return planned;
}
