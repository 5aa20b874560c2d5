import type { Work } from '#core/database';
import {
  type Actor,
  currencyOfPayment,
  formatDecimal,
  type Money,
  money,
  newId,
  parseMoney,
  ServiceError,
  storedCurrency,
  type TenantTime,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { cashUnitFor, checkOpen, type Merchant } from '#core/processing/merchants';
import { type DiscountColumns, NO_DISCOUNT, type PaymentDiscount } from '#core/sales/discounts';
import { type LineItem, storedLineItems } from '#core/sales/items';
import { checkOrderFields, isOrderId, itemizedParts, refuseOrderLines } from '#core/sales/payments';
import { drawerFrom } from '#core/sales/shifts';
import { cashOf } from '#shared/cash-rounding';
import { cashRoundings } from './cash-rounding.ts';
import type { Dependencies } from './dependencies.ts';
import { takeShare } from './order-shares.ts';
import { type CheckedTender, eventData, type NewTender, receive } from './record.ts';
import type { Tender } from './records.ts';
import { TENDERS, type TenderRow } from './schema.ts';
import { toTender } from './tender.ts';

const trimmedOrNull = (text: string | undefined) => text?.trim() || null;

/**
 * Records a payment that was received at the counter. @throws ServiceError INVALID_AMOUNT, also if less cash was given than the amount;
 * REQUIRED_FIELD_MISSING, VALIDATION_ERROR for fields of other kinds and for a name that the merchant did not configure; CUSTOMER_NOT_FOUND;
 * RESOURCE_CONFLICT for cash without an open shift, if the merchant requires one.
 */
export async function createTender(deps: Dependencies, actor: Actor, input: NewTender): Promise<Tender> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const currency = currencyOfPayment(input.currency, merchant);
  const amount = parseMoney(input.amount, currency);
  const { taxAmount, discountAmount, discountId, lineItems = [] } = input;
  const itemized = {
    lineItems,
    ...(taxAmount !== undefined && { taxAmount }),
    ...(discountAmount !== undefined && { discountAmount }),
    ...(discountId !== undefined && { discountId }),
  };
  if (isOrderId(trimmedOrNull(input.orderId))) checkOrderFields(input);
  else refuseOrderLines(input);
  const { lines, parts, discountMinor, discount } = await itemizedParts(
    deps.database.read(actor.tenantId),
    merchant.merchantId,
    itemized,
    amount,
  );
  const tender: CheckedTender = {
    ...(await customerFields(deps, actor, merchant, input)),
    ...kindFields(input, merchant, amount),
    gift_card_id: input.kind === 'gift_card' ? await deps.giftCards.referredCard(actor, merchant.merchantId, input) : null,
    gift_card_last4: null,
    order_id: trimmedOrNull(input.orderId),
    description: trimmedOrNull(input.description),
    line_items: storedLineItems(lines),
    tax_minor: parts.tax,
    discount_minor: discountMinor,
    ...NO_DISCOUNT,
    invoice_id: null,
    drawer: drawerFrom(input.drawer),
  };
  const created = await runIdempotent(deps, actor, async (work) => {
    const { orderLines } = input;
    const now = deps.clockOf(actor.tenantId).now();
    const row = await insertTender(deps, work, actor, merchant, { tender, amount, discount, orderLines, now });
    return { tender: toTender(row) };
  });
  return created.tender;
}

/** A payment of an invoice that was received at the counter. */
export interface InvoiceTender {
  readonly kind: Exclude<TenderRow['kind'], 'gift_card'>;
  readonly invoiceId: string;
  /** Number of the invoice, or the order that a payment link pays. */
  readonly orderId: string;
  readonly amount: Money;
  /** Share of the invoice's tax, in minor units. */
  readonly taxMinor: number;
  /** Lines of a payment link that is paid at once. */
  readonly lines: readonly LineItem[];
  /** Taken off before the amount, in minor units. */
  readonly discountMinor: number;
  readonly granted: DiscountColumns;
  /** Earlier tenders of the invoice. */
  readonly earlierTenders: readonly string[];
  /** Check number, or the name of another tender. */
  readonly reference: string | null;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly drawer?: string;
  readonly now: TenantTime;
}

/** Records a payment of an invoice, in the unit of work of the payment. @throws ServiceError RESOURCE_CONFLICT as `createTender`. */
export async function receiveForInvoice(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  payment: InvoiceTender,
): Promise<Tender> {
  const { kind, reference } = payment;
  const tender: CheckedTender = {
    kind,
    rounding_minor: 0,
    name: kind === 'other' ? reference : null,
    given_minor: null,
    check_number: kind === 'check' ? reference : null,
    check_bank: null,
    gift_card_id: null,
    gift_card_last4: null,
    customer_id: payment.customerId,
    customer_name: payment.customerName,
    customer_email: payment.customerEmail,
    order_id: payment.orderId,
    description: null,
    line_items: storedLineItems(payment.lines),
    tax_minor: payment.taxMinor,
    discount_minor: payment.discountMinor,
    ...payment.granted,
    invoice_id: payment.invoiceId,
    drawer: drawerFrom(payment.drawer),
  };
  const { amount, earlierTenders, now } = payment;
  return toTender(await insertTender(deps, work, actor, merchant, { tender, amount, earlierTenders, now }));
}

/** A checked tender and the money that was received. */
interface ReceivedTender {
  readonly tender: CheckedTender;
  readonly amount: Money;
  /** Discount that must need no approval, or have been granted; absent for payments of invoices. */
  readonly discount?: PaymentDiscount;
  /** Lines of the order that it pays. */
  readonly orderLines?: readonly number[] | undefined;
  /** Earlier tenders of the invoice that it pays. */
  readonly earlierTenders?: readonly string[];
  readonly now: TenantTime;
}

async function insertTender(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  { tender, amount, discount, orderLines = [], earlierTenders, now }: ReceivedTender,
): Promise<TenderRow> {
  const { merchantId } = merchant;
  const paymentId = newId('tnd', now);
  const {
    tender: shared,
    earlierCash,
    orderPart,
  } = await takeShare(deps, work, actor, tender, { paymentId, merchantId, amount, lines: orderLines });
  const rounded = await withRounding(work, merchant, shared, amount, earlierTenders ?? earlierCash);
  const redeemed = await redeemCard(deps, work, actor, rounded, { paymentId, amount });
  const received = await receive(deps, work, actor, merchant, { id: paymentId, tender: redeemed, amount, orderPart, now });
  const claimed = discount === undefined ? {} : await deps.claimDiscount(work, actor, { ...discount, merchantId, paymentId });
  const row = shared === tender ? { ...received, ...claimed } : received;
  work.insert(TENDERS, row);
  const base = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs: now };
  deps.emit(work, { ...base, type: 'tender.created', data: eventData(row, amount) });
  deps.audit(work, {
    actor,
    action: 'tender.created',
    resource: `tenders/${row.id}`,
    merchantId: row.merchant_id,
    after: auditFields(row),
  });
  work.afterCommit(() => deps.changed(row.tenant_id, 'tenders', row.merchant_id));
  return row;
}

/** Takes a payment with a gift card off its balance, in the unit of work of the tender. */
async function redeemCard(
  deps: Pick<Dependencies, 'giftCards'>,
  work: Work,
  actor: Actor,
  tender: CheckedTender,
  { paymentId, amount }: { readonly paymentId: string; readonly amount: Money },
): Promise<CheckedTender> {
  const { gift_card_id: giftCardId } = tender;
  if (giftCardId === null) return tender;
  const { last4 } = await deps.giftCards.redeem(work, actor, { giftCardId, subjectId: paymentId, amount });
  return { ...tender, gift_card_last4: last4 };
}

/** Returns the fields of a tender that the audit log keeps. */
export function auditFields(row: TenderRow): Readonly<Record<string, unknown>> {
  const decimal = (minor: number) => formatDecimal(money(minor, storedCurrency(row.currency)));
  return {
    number: row.number,
    kind: row.kind,
    name: row.name,
    amount: decimal(row.amount_minor),
    taxAmount: decimal(row.tax_minor),
    discountAmount: decimal(row.discount_minor),
    ...(row.discount_approved_by !== null && { discountApprovedBy: row.discount_approved_by }),
    roundingAmount: decimal(row.rounding_minor),
    currency: row.currency,
    refundedAmount: decimal(row.refunded_minor),
    checkNumber: row.check_number,
    ...(row.gift_card_id !== null && { giftCardId: row.gift_card_id }),
    drawer: row.drawer,
    shiftId: row.shift_id,
    invoiceId: row.invoice_id,
    ...(row.returned_at !== null && { returnedAt: row.returned_at, returnReason: row.return_reason }),
  };
}

/** Returns a tender with its rounding of cash. @throws ServiceError INVALID_AMOUNT if less cash was given than is due. */
async function withRounding(
  work: Work,
  merchant: Merchant,
  tender: CheckedTender,
  { minor, currency }: Money,
  earlierTenders: readonly string[],
): Promise<CheckedTender> {
  if (tender.kind !== 'cash') return tender;
  const rounded = (await cashRoundings(work, earlierTenders)).values().reduce((sum, each) => sum + each, 0);
  const due = cashOf(minor, cashUnitFor(merchant, currency), rounded);
  if (tender.given_minor !== null && tender.given_minor < due)
    throw new ServiceError('INVALID_AMOUNT', '`amountGiven` must be at least the amount.', { field: 'amountGiven' });
  return { ...tender, rounding_minor: due - minor };
}

/** The kind of tender to which a field belongs. */
const FIELDS_BY_KIND = {
  amountGiven: 'cash',
  checkNumber: 'check',
  checkBank: 'check',
  name: 'other',
  giftCardCode: 'gift_card',
  giftCardPin: 'gift_card',
  giftCardId: 'gift_card',
} as const satisfies Partial<Record<keyof NewTender, TenderRow['kind']>>;

/** Checks the fields that belong to the kind of a tender. */
function kindFields(
  input: NewTender,
  merchant: Merchant,
  amount: Money,
): Pick<CheckedTender, 'kind' | 'rounding_minor' | 'name' | 'given_minor' | 'check_number' | 'check_bank'> {
  const { kind, name, amountGiven, checkNumber, checkBank } = input;
  const foreign = Object.entries(FIELDS_BY_KIND).find(
    ([field, owner]) => owner !== kind && input[field as keyof NewTender] !== undefined,
  )?.[0];
  if (foreign !== undefined)
    throw new ServiceError('VALIDATION_ERROR', `\`${foreign}\` does not belong to a tender of the kind \`${kind}\`.`, { field: foreign });
  const given = amountGiven === undefined ? null : parseMoney(amountGiven, amount.currency, 'amountGiven');
  const base = { kind, rounding_minor: 0, name: null, given_minor: given?.minor ?? null, check_number: null, check_bank: null };
  if (kind === 'check') {
    const check_number = trimmedOrNull(checkNumber);
    if (check_number === null) throw new ServiceError('REQUIRED_FIELD_MISSING', '`checkNumber` is required.', { field: 'checkNumber' });
    return { ...base, check_number, check_bank: trimmedOrNull(checkBank) };
  }
  if (kind === 'cash' || kind === 'gift_card') return base;
  const wanted = trimmedOrNull(name);
  const { otherTenders } = merchant.vtSettings;
  const known = otherTenders.find((each) => each.toLowerCase() === wanted?.toLowerCase());
  if (wanted === null) throw new ServiceError('REQUIRED_FIELD_MISSING', '`name` is required.', { field: 'name' });
  if (known === undefined)
    throw new ServiceError(
      'VALIDATION_ERROR',
      'This merchant has no tender of this name. Names are in the settings of the virtual terminal.',
      {
        field: 'name',
        details: { names: otherTenders },
      },
    );
  return { ...base, name: known };
}

async function customerFields(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  { customerId, customerEmail }: NewTender,
): Promise<Pick<CheckedTender, 'customer_id' | 'customer_name' | 'customer_email'>> {
  if (customerId === undefined) return { customer_id: null, customer_name: null, customer_email: customerEmail?.toLowerCase() ?? null };
  const payer = await deps.customers.payerAt(actor, merchant.merchantId, customerId);
  return { customer_id: customerId, customer_name: payer.name, customer_email: customerEmail?.toLowerCase() ?? payer.email };
}
