import type { Read, Work } from '#core/database';
import { amountAboveLimit, type Currency, type Money, money } from '#core/kernel';
import { reservesAmount } from '../queue-entries/entry.ts';
import { REFUND_QUEUE } from '../queue-entries/schema.ts';
import { REFUNDS, type RefundRow, type TransactionRow } from '../schema.ts';
import {
  hasParts,
  NO_PARTS,
  PART_NAMES,
  type Parts,
  type PartsInput,
  parseParts,
  partColumns,
  partsOf,
  splitParts,
  statesParts,
  subtractParts,
  sumOfParts,
} from './parts.ts';

/** Amount of a payment that no refund returns or reserves, in minor units, with its parts. */
interface Remaining {
  readonly total: number;
  readonly parts: Parts;
}

/** Reads what remains of a captured payment, under its lock. */
async function remainingOf(read: Read, row: TransactionRow): Promise<Remaining> {
  const total = row.captured_minor - row.refunded_minor - row.reserved_minor;
  if (!hasParts(partsOf(row))) return { total, parts: NO_PARTS };
  const refunds = await read.find(REFUNDS, { transaction_id: row.id });
  const queued = await read.find(REFUND_QUEUE, { transaction_id: row.id });
  const countedByQueue = new Set(
    queued.filter(({ status }) => reservesAmount(status) || status === 'resolved').map(({ refund_id }) => refund_id),
  );
  const counted = refunds.filter(({ id, status }) => status === 'approved' || status === 'pending' || countedByQueue.has(id));
  return { total, parts: counted.reduce((left, refund) => subtractParts(left, partsOf(refund)), partsOf(row)) };
}

/**
 * Returns the parts of a new refund: the ones that the request names, or else shares of all parts that remain, in proportion to the amount. Requires
 * the payment's lock. @throws ServiceError INVALID_AMOUNT (422) if a named part or the base is above what remains of it.
 */
export async function partsOfRefund(read: Read, row: TransactionRow, amount: Money, input: PartsInput): Promise<Parts> {
  const { total, parts } = await remainingOf(read, row);
  if (!statesParts(input)) return splitParts(amount.minor, total, parts);
  const named = parseParts(input, amount);
  if (fits(amount.minor, named, { total, parts })) return named;
  throw amountAboveLimit('A part of the refund exceeds what remains of it, or the rest of `amount` exceeds what remains of the base.', {
    ...remainingAmounts({ total, parts }, amount.currency),
    requestedAmount: amount,
  });
}

/** Returns the amount of a refund that names parts but no amount: their sum. */
export function amountOfNamedParts(input: PartsInput, currency: Currency): Money {
  return money(sumOfParts(parseParts(input, money(Number.MAX_SAFE_INTEGER, currency))), currency);
}

/** Splits a declined refund again if its parts were refunded otherwise, before its amount is reserved again. Returns the refund. */
export async function refitParts(work: Work, row: TransactionRow, refund: RefundRow): Promise<RefundRow> {
  const remaining = await remainingOf(work, row);
  if (fits(refund.amount_minor, partsOf(refund), remaining)) return refund;
  const columns = partColumns(splitParts(refund.amount_minor, remaining.total, remaining.parts));
  await work.update(REFUNDS, { id: refund.id }, columns);
  return { ...refund, ...columns };
}

function fits(amount: number, named: Parts, { total, parts }: Remaining): boolean {
  const baseFits = amount - sumOfParts(named) <= total - sumOfParts(parts);
  return baseFits && PART_NAMES.every((name) => named[name] <= parts[name]);
}

function remainingAmounts({ total, parts }: Remaining, currency: Currency): Record<string, Money> {
  return {
    availableBase: money(total - sumOfParts(parts), currency),
    availableTip: money(parts.tip, currency),
    availableSurcharge: money(parts.surcharge, currency),
    availableTax: money(parts.tax, currency),
  };
}
