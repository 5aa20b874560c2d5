import type { Work } from '#core/database';
import {
  type Actor,
  type Clock,
  type Currency,
  dateIn,
  formatDecimal,
  type Money,
  money,
  parseCurrency,
  parseMoney,
  ServiceError,
  toNumber,
} from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { ShownSpendingLimits } from './records.ts';
import { API_KEYS, type ApiKeyRow } from './schema.ts';

/**
 * Limits of an API key on the money that it moves, for keys of programs that are not fully trusted, such as agents. A key with limits moves money in one
 * currency only, and changes nothing on a live account unless `liveWrites` is true.
 */
export interface SpendingLimits {
  readonly currency: Currency;
  /** Largest total of one payment, and largest sum that is returned of it, in minor units; null means no limit. */
  readonly perPaymentMinor: number | null;
  /** Largest sum of all operations of a day (UTC, by the tenant's clock), in minor units; null means no limit. */
  readonly perDayMinor: number | null;
  readonly liveWrites: boolean;
  /** Answer to an operation above a limit; `ask` for the approval of a person. */
  readonly overLimit: OverLimit;
}

type OverLimit = 'refuse' | 'ask';

/** Spending limits in the form of the API: amounts are in major units. */
export interface SpendingLimitsInput {
  readonly currency: string;
  readonly perPayment?: string | number | null;
  readonly perDay?: string | number | null;
  readonly liveWrites?: boolean;
  readonly overLimit?: OverLimit;
}

/** Returns checked limits. @throws ServiceError INVALID_CURRENCY, INVALID_AMOUNT; REQUIRED_FIELD_MISSING if neither amount is limited. */
export function parseSpendingLimits({
  currency: code,
  perPayment,
  perDay,
  liveWrites = false,
  overLimit = 'refuse',
}: SpendingLimitsInput): SpendingLimits {
  const currency = parseCurrency(code);
  const minorOf = (amount: string | number | null | undefined, field: string) =>
    amount == null ? null : parseMoney(amount, currency, field).minor;
  const limits = {
    currency,
    perPaymentMinor: minorOf(perPayment, 'spendingLimits.perPayment'),
    perDayMinor: minorOf(perDay, 'spendingLimits.perDay'),
    liveWrites,
    overLimit,
  };
  if (limits.perPaymentMinor === null && limits.perDayMinor === null)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`perPayment` or `perDay` is required. Send `spendingLimits` as null for no limits.', {
      field: 'spendingLimits.perPayment',
    });
  return limits;
}

/** Returns the limits of a stored key; null if it has none. */
export function spendingLimitsOf({ spending_limits: stored }: Pick<ApiKeyRow, 'spending_limits'>): SpendingLimits | null {
  return stored === null ? null : (JSON.parse(stored) as SpendingLimits);
}

/** Returns the limits in the form of the API, with the sum that the key has moved on this day. */
export function showSpendingLimits(row: ApiKeyRow, clock: Clock): ShownSpendingLimits | null {
  const limits = spendingLimitsOf(row);
  if (limits === null) return null;
  const amountOf = (minor: number | null) => (minor === null ? null : toNumber(money(minor, limits.currency)));
  return {
    currency: limits.currency as string,
    perPayment: amountOf(limits.perPaymentMinor),
    perDay: amountOf(limits.perDayMinor),
    liveWrites: limits.liveWrites,
    overLimit: limits.overLimit,
    movedToday: toNumber(money(row.spent_day === dayOf(clock) ? row.spent_minor : 0, limits.currency)),
  };
}

const dayOf = (clock: Clock) => dateIn('UTC', clock.now());

const refused = (message: string, details: Record<string, unknown>) => new ServiceError('PERMISSION_DENIED', message, { details });

/**
 * Counts an operation that moves money against the limits of the caller's key, in the unit of work that writes the operation. The lock of the key's row
 * makes parallel operations wait for each other, and its limits are the present ones. A declined payment stays counted, so that a limited key
 * cannot try any number of cards. `total` is the new total of the payment, or the sum that is returned of it, so that a payment cannot pass the limit in
 * steps. @throws ServiceError PERMISSION_DENIED with `details.reason` `key_currency`, `key_payment_limit` or
 * `key_daily_limit`; ApprovalRequired above a limit of a key that asks for an approval then.
 */
export async function claimSpending(
  { tenants, checkApproval }: Pick<Dependencies, 'tenants' | 'checkApproval'>,
  work: Work,
  actor: Actor,
  amount: Money,
  total = amount,
): Promise<void> {
  if (!actor.hasSpendingLimits) return;
  const key = await work.lockOne(API_KEYS, { id: actor.credentialId });
  const limits = key && spendingLimitsOf(key);
  if (!key || !limits) return;
  const day = dayOf(tenants.clockOf(actor.tenantId));
  const spent = key.spent_day === day ? key.spent_minor : 0;
  const refusal = refusalOf(limits, { amount, total, spentMinor: spent });
  // An operation that runs under an approval uses it up, even if the limits allow it by now.
  if (actor.approval || (refusal !== null && limits.overLimit === 'ask' && amount.currency === limits.currency))
    await checkApproval(work, actor, {
      kind: 'key_limit',
      merchantId: key.merchant_id,
      resource: `api-keys/${key.id}`,
      amount,
      details: { apiKey: key.name, limit: refusal?.message ?? null },
    });
  else if (refusal !== null) throw refusal;
  await work.update(API_KEYS, { id: key.id }, { spent_day: day, spent_minor: spent + amount.minor });
}

interface Movement {
  readonly amount: Money;
  readonly total: Money;
  /** Sum of the amounts that the key has moved on this day before. */
  readonly spentMinor: number;
}

/** Returns the refusal of a movement; null if it is within the limits. */
function refusalOf(
  { currency, perPaymentMinor, perDayMinor }: SpendingLimits,
  { amount, total, spentMinor }: Movement,
): ServiceError | null {
  if (amount.currency !== currency) return refused(`This API key moves money in ${currency} only.`, { reason: 'key_currency', currency });
  if (perPaymentMinor !== null && total.minor > perPaymentMinor) {
    const limit = money(perPaymentMinor, currency);
    const message = `This API key may move at most ${formatDecimal(limit)} ${currency} of one payment, and this would be ${formatDecimal(total)}.`;
    return refused(message, { reason: 'key_payment_limit', limit });
  }
  if (perDayMinor === null || spentMinor + amount.minor <= perDayMinor) return null;
  const [limit, remaining] = [money(perDayMinor, currency), money(Math.max(0, perDayMinor - spentMinor), currency)];
  return refused(`This API key may move at most ${formatDecimal(limit)} ${currency} a day, and ${formatDecimal(remaining)} remain today.`, {
    reason: 'key_daily_limit',
    limit,
    remaining,
  });
}
