import { api, takeData, takePage } from '#renderer/base/client';
import { dayIn } from '#renderer/base/dates';
import { accountText, cardText } from '#renderer/base/payment-methods';
import type { SaleRequest } from './request.ts';
import type { UnconfirmedCharge } from './unconfirmed-charges.ts';

/** A charge that the sale in the form would repeat: unconfirmed, or approved a short time ago. */
export interface EarlierCharge extends Omit<UnconfirmedCharge, 'reason'> {
  readonly reason: UnconfirmedCharge['reason'] | 'approved';
}

/** Period in which a second charge of the same card and amount is probably a mistake. */
const REPEAT_WINDOW_MS = 2 * 60_000;
/** Longest wait of a sale for the lookups. */
const LOOKUP_TIMEOUT_MS = 1_000;

interface EarlierChargeQuery {
  readonly request: SaleRequest;
  readonly last4: string;
  /** Time of the tenant, which the test clock may have moved. */
  readonly now: number;
  readonly timeZone: string;
  /** False if the request repeats one whose answer was lost: its charge, found approved, is the charge of this form. */
  readonly includesApproved: boolean;
}

/**
 * Returns a charge of any workstation that the request would repeat: same merchant, amount, currency and last four digits, unconfirmed or
 * approved within two minutes. Undefined if the service does not answer in time, so that a sale is not delayed.
 */
export async function findEarlierCharge(query: EarlierChargeQuery): Promise<EarlierCharge | undefined> {
  const timeout = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  const timedOut = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason)));
  const lookUp = async (lookup: Promise<EarlierCharge | undefined>) => {
    try {
      return await Promise.race([lookup, timedOut]);
    } catch {
      return undefined;
    }
  };
  const unconfirmed = lookUp(findUnconfirmed(query, timeout));
  const approved = query.includesApproved ? lookUp(findApproved(query, timeout)) : undefined;
  return (await unconfirmed) ?? (await approved);
}

async function findUnconfirmed({ request, last4 }: EarlierChargeQuery, signal: AbortSignal): Promise<EarlierCharge | undefined> {
  const { merchantId, amount, currency } = request;
  const open = await takeData(api.GET('/api/v1/unconfirmed-payments', { params: { query: { merchantId, last4, amount } }, signal }));
  const found = open.find((charge) => (charge.operation === 'sale' || charge.operation === 'auth') && charge.currency === currency);
  if (!found) return undefined;
  const { transactionId, card, since, pendingReason } = found;
  return {
    transactionId,
    amount,
    currency,
    methodLabel: card ? cardText({ brand: card.brand, last4 }) : accountText({ last4 }),
    reason: pendingReason === null ? 'no-response' : 'held',
    since,
  };
}

async function findApproved(
  { request, last4, now, timeZone }: EarlierChargeQuery,
  signal: AbortSignal,
): Promise<EarlierCharge | undefined> {
  const { merchantId, amount, currency } = request;
  const startDate = dayIn(timeZone, now - REPEAT_WINDOW_MS);
  const call = api.GET('/api/v1/transactions', {
    params: { query: { merchantId, last4, minAmount: amount, maxAmount: amount, status: 'approved', startDate, limit: 5 } },
    signal,
  });
  const found = (await takePage(call)).items.find(
    (transaction) =>
      transaction.type !== 'credit' &&
      transaction.currency === currency &&
      Number(transaction.refundedAmount) === 0 &&
      Math.abs(now - Date.parse(transaction.createdAt)) < REPEAT_WINDOW_MS,
  );
  if (!found) return undefined;
  const { transactionId, card, createdAt } = found;
  return {
    transactionId,
    amount,
    currency,
    methodLabel: card ? cardText({ brand: card.brand, last4 }) : accountText({ last4 }),
    reason: 'approved',
    since: createdAt,
  };
}
