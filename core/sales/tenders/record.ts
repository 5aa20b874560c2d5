import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, dateIn, isoTime, type Money, money, ServiceError, type TenantTime } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { OrderPart, TenderTransferKind } from '#core/records/ledger';
import type { NewLineItem } from '#core/sales/items';
import { countTender, EVERY_DAY } from '#core/sales/payments';
import { roundingId } from '#core/sales/shifts';
import type { Dependencies } from './dependencies.ts';
import { TENDER_COUNTS, TENDER_NUMBERS, type TenderKind, type TenderRow } from './schema.ts';
import { numberOf } from './tender.ts';

const queries = queriesOn(TENDER_NUMBERS);

/** Returns the next number of a merchant. Numbers have no gaps: a failed unit of work returns its number. */
export async function takeNumber(work: Work, merchantId: string): Promise<number> {
  const taken = await work.row(
    queries
      .insertInto('tender_numbers')
      .values({ tenant_id: TENANT, merchant_id: merchantId, last: 1 })
      .onConflict((known) =>
        known.columns(['tenant_id', 'merchant_id']).doUpdateSet(({ eb }) => ({ last: eb('tender_numbers.last', '+', lit(1)) })),
      )
      .returning('last'),
  );
  return Number(taken?.last);
}

/** Money that a tender or its refund moves. */
interface Movement {
  /** ID of the tender or refund. */
  readonly id: string;
  readonly kind: TenderKind;
  readonly direction: 'sale' | 'refund';
  readonly amount: Money;
  /** Cash that is received or returned less the amount, in minor units. */
  readonly roundingMinor: number;
  /** Tax within the amount, in minor units. */
  readonly taxMinor: number;
  /** Discount of a tender, in minor units; 0 for a refund. */
  readonly discountMinor: number;
  /** Drawer whose open shift counts the movement; null if none does. */
  readonly drawer: string | null;
  readonly subjectId: string;
  /** Refund of the whole tender at once. */
  readonly isFull: boolean;
  /** For a payment of an order. */
  readonly orderPart?: OrderPart | null;
  readonly now: TenantTime;
}

/** Books a movement of money on the open shift, the ledger and the daily aggregates. Returns the shift; null if none was open. */
export async function book(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name' | 'permissions'>,
  merchant: Merchant,
  { id, kind, direction, amount, roundingMinor, taxMinor, discountMinor, drawer, subjectId, isFull, orderPart = null, now }: Movement,
): Promise<string | null> {
  const { tenantId } = actor;
  const { merchantId } = merchant;
  const transferKind: TenderTransferKind = `${kind}_${direction}`;
  const shiftId =
    drawer === null
      ? null
      : await deps.shifts.addTender(work, actor, merchant, {
          id,
          kind: transferKind,
          drawer,
          amount,
          roundingMinor,
          discountMinor,
          orderPart,
          now,
        });
  const day = dateIn(merchant.timezone, now);
  deps.post(work, { tenantId, merchantId, id, kind: transferKind, amount, subjectId, day, at: isoTime(now), orderPart });
  if (roundingMinor !== 0) {
    const rounded = (direction === 'sale') === roundingMinor > 0 ? 'cash_rounded_up' : 'cash_rounded_down';
    const difference = money(Math.abs(roundingMinor), amount.currency);
    deps.post(work, { tenantId, merchantId, id: roundingId(id), kind: rounded, amount: difference, subjectId, day, at: isoTime(now) });
  }
  if (taxMinor > 0) {
    const taxKind = direction === 'sale' ? 'tax' : 'tax_refunded';
    const tax = money(taxMinor, amount.currency);
    deps.post(work, { tenantId, merchantId, id: `${id}-tax`, kind: taxKind, amount: tax, subjectId: id, day, at: isoTime(now) });
  }
  countTender(work, { tenantId, merchantId, kind, direction, amount, taxMinor, day, isFull, orderPart });
  return shiftId;
}

/** Input of a tender. */
export interface NewTender {
  readonly kind: TenderKind;
  readonly name?: string;
  readonly amount: string | number;
  readonly currency?: string;
  readonly amountGiven?: string | number;
  readonly checkNumber?: string;
  readonly checkBank?: string;
  /** Code of the gift card that pays, with its PIN. */
  readonly giftCardCode?: string;
  readonly giftCardPin?: string;
  /** Store credit of the customer. */
  readonly giftCardId?: string;
  readonly customerId?: string;
  readonly customerEmail?: string;
  readonly orderId?: string;
  /** Lines of the order that the tender pays, by their position. */
  readonly orderLines?: readonly number[];
  readonly description?: string;
  /** Tax within the amount; by default that of the lines. */
  readonly taxAmount?: string | number;
  /** Taken off before the amount; with lines it is the sum of their discounts. */
  readonly discountAmount?: string | number;
  /** Discount that was granted before, which this tender uses. */
  readonly discountId?: string;
  /** Lines of an itemized sale, which must add up to the amount. */
  readonly lineItems?: readonly NewLineItem[];
  readonly drawer?: string;
  readonly merchantId?: string;
}

/** A tender whose input was checked. */
export type CheckedTender = Pick<
  TenderRow,
  | 'kind'
  | 'name'
  | 'given_minor'
  | 'check_number'
  | 'check_bank'
  | 'gift_card_id'
  | 'gift_card_last4'
  | 'customer_id'
  | 'customer_name'
  | 'customer_email'
  | 'order_id'
  | 'description'
  | 'line_items'
  | 'tax_minor'
  | 'discount_minor'
  | 'rounding_minor'
  | 'discount_id'
  | 'discount_approved_by'
  | 'invoice_id'
  | 'drawer'
>;

interface ReceivedMoney {
  readonly id: string;
  readonly tender: CheckedTender;
  readonly amount: Money;
  /** For a payment of an order. */
  readonly orderPart: OrderPart | null;
  readonly now: TenantTime;
}

/** Returns the row of a new tender and books its money; the caller inserts the row. */
export async function receive(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name' | 'permissions'>,
  merchant: Merchant,
  { id, tender, amount, orderPart, now }: ReceivedMoney,
): Promise<TenderRow> {
  const { kind, drawer, tax_minor, discount_minor, rounding_minor } = tender;
  const shift_id = await book(deps, work, actor, merchant, {
    id,
    kind,
    direction: 'sale',
    amount,
    roundingMinor: rounding_minor,
    taxMinor: tax_minor ?? 0,
    discountMinor: discount_minor,
    drawer,
    subjectId: id,
    isFull: false,
    orderPart,
    now,
  });
  const at = isoTime(now);
  const row: TenderRow = {
    ...tender,
    order_key: tender.order_id?.toLowerCase() ?? null,
    tenant_id: actor.tenantId,
    id,
    merchant_id: merchant.merchantId,
    number: await takeNumber(work, merchant.merchantId),
    currency: amount.currency,
    amount_minor: amount.minor,
    refunded_minor: 0,
    shift_id,
    created_by: actor.name,
    returned_at: null,
    return_reason: null,
    day: dateIn(merchant.timezone, now),
    created_at: at,
    updated_at: at,
  };
  const { tenant_id, merchant_id } = row;
  for (const day of [row.day, EVERY_DAY]) work.count(TENDER_COUNTS, { tenant_id, merchant_id, day, kind }, 1);
  return row;
}

/** Returns the data of an event about a tender. */
export const eventData = (row: TenderRow, amount: Money) => ({
  tenderId: row.id,
  number: numberOf(row.number),
  kind: row.kind,
  name: row.name,
  amount,
  roundingAmount: money(row.rounding_minor, amount.currency),
  taxAmount: money(row.tax_minor, amount.currency),
  discountAmount: money(row.discount_minor, amount.currency),
  discountApprovedBy: row.discount_approved_by,
  currency: row.currency,
  invoiceId: row.invoice_id,
  shiftId: row.shift_id,
});

export const tenderNotFound = (tenderId: string) =>
  new ServiceError('NOT_FOUND', `There is no tender ${tenderId.slice(0, 60)}.`, { details: { tenderId } });
