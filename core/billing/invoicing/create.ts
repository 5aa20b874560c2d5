import { UniqueViolation, type Work } from '#core/database';
import {
  type Actor,
  addDays,
  type Currency,
  currencyOfPayment,
  dateIn,
  isDate,
  isoTime,
  type Money,
  money,
  newId,
  parseDate,
  parseMoney,
  ServiceError,
  storedCurrency,
  type TenantTime,
  tenantTime,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { Payer } from '#core/sales/customers';
import { type DiscountColumns, NO_DISCOUNT } from '#core/sales/discounts';
import { type LineItem, storedLineItems } from '#core/sales/items';
import { taxFrom } from '#core/sales/payments';
import { newPageToken, newShortCode } from './codes.ts';
import { type Dependencies, notifyScreens } from './dependencies.ts';
import { auditInvoice } from './events.ts';
import type { NewInvoice, NewLink } from './input.ts';
import type { Sent } from './invoice.ts';
import { itemsFrom, itemsOfLines, type NewItem, storedItems, sumOf, withItems } from './items.ts';
import { type Recipient, sentTo, writeMessages } from './messages.ts';
import { loadInvoice } from './read.ts';
import type { Invoice, InvoiceItem } from './records.ts';
import { NO_PROMISE, NOT_STOPPED } from './reminders/columns.ts';
import { takeNumber } from './repository.ts';
import { INVOICES, type InvoiceRow, SHORT_LINKS } from './schema.ts';
import { askForTipFrom } from './tips.ts';

/** Ties a new invoice or payment link to another record, in its unit of work. */
export type Claim = (work: Work, invoiceId: string) => Promise<void>;

/** Content of the payment of a whole link that replaces another payment of the same amount. */
export interface LinkContent {
  readonly orderId: string | null;
  /** Lines, which add up to the amount without the tip. */
  readonly lines: readonly LineItem[];
  /** Tip within the amount. */
  readonly tip: Money;
  /** Taken off before the amount. */
  readonly discount: Money;
  readonly granted: DiscountColumns;
}

/** Recipients of a new link, and the time of its messages. */
interface Delivery {
  readonly recipients: readonly Recipient[];
  readonly atMs: TenantTime;
}

const DUE_DAYS = 30;
/** Largest distance of a due date from today, in days. */
const DISTANCE_MAX_DAYS = 36_525;
const CODE_ATTEMPTS = 5;

/**
 * Creates a draft. `attach` runs in its unit of work, after the invoice was written. @throws ServiceError CUSTOMER_NOT_FOUND, the Validation codes; VALIDATION_ERROR on `amount` if it differs from the sum
 * of the items, and on `customerId` for a customer of another merchant.
 */
export async function create(deps: Dependencies, actor: Actor, input: NewInvoice, attach?: Claim): Promise<Invoice> {
  const { payer, merchant } = await partiesOf(deps, actor, input.customerId, input.merchantId);
  const currency = currencyOfPayment(input.currency, merchant);
  const items = await linesFrom(deps, actor, merchant, input.items, currency);
  const amount = totalOf(items, input.amount, currency);
  const now = deps.clockOf(actor.tenantId).now();
  const row: InvoiceRow = {
    ...blankRow(actor, merchant, now),
    kind: 'invoice',
    ...customerColumns(payer),
    currency,
    amount_minor: amount.minor,
    tax_minor: taxFrom(input.taxAmount, amount),
    purchase_order_number: trimmedOrNull(input.purchaseOrderNumber),
    status: 'draft',
    due_date: dueDateFrom(input.dueDate, dateIn(merchant.timezone, now)),
    items: storedItems(items),
    note: trimmedOrNull(input.note),
    description: trimmedOrNull(input.description),
    allow_partial: input.allowPartial ? 1 : 0,
    collect_shipping: input.collectShippingAddress ? 1 : 0,
  };
  return (await write(deps, actor, merchant, row, { attach })).invoice;
}

/**
 * Creates a payment link: an invoice with an amount or items and without a customer that counts as sent. `claim` runs in its unit of work, and so do the messages
 * of `sendVia`. @throws ServiceError the Validation codes; REQUIRED_FIELD_MISSING on `customerEmail` or `phone` without a recipient; RESOURCE_CONFLICT on `sendVia`
 * if a channel is not set up.
 */
export async function createLink(deps: Dependencies, actor: Actor, input: NewLink, claim?: Claim, content?: LinkContent): Promise<Sent> {
  const merchant = checkOpen(await deps.merchants.merchantFor(actor, input.merchantId));
  const currency = currencyOfPayment(input.currency, merchant);
  const items = await linesFrom(deps, actor, merchant, input.items, currency);
  const amount = totalOf(items, input.amount, currency);
  const recipients = await recipientsOf(deps, actor, input);
  const now = deps.clockOf(actor.tenantId).now();
  const row: InvoiceRow = {
    ...blankRow(actor, merchant, now),
    kind: 'link',
    customer_email: input.customerEmail?.toLowerCase() ?? null,
    customer_phone: input.phone ?? null,
    currency,
    amount_minor: amount.minor,
    tax_minor: taxFrom(input.taxAmount, amount),
    purchase_order_number: trimmedOrNull(input.purchaseOrderNumber),
    items: storedItems(content === undefined ? items : itemsOfLines(content.lines)),
    ...(content !== undefined && contentColumns(content)),
    status: 'sent',
    description: trimmedOrNull(input.description),
    allow_partial: input.allowPartial ? 1 : 0,
    collect_shipping: input.collectShippingAddress ? 1 : 0,
    ask_for_tip: askForTipFrom(input.askForTip, merchant),
    expires_ms: input.expiresAt === undefined ? null : tenantTime(expiryFrom(input.expiresAt, now)),
    sent_at: recipients.length === 0 ? null : isoTime(now),
  };
  return write(deps, actor, merchant, row, { claim, delivery: { recipients, atMs: now } });
}

/** Texts of a link that cannot be sent by a channel: without a recipient, and without a provider. */
const UNSENDABLE = {
  email: {
    field: 'customerEmail',
    missing: '`customerEmail` is required to send the link by email.',
    noDelivery: 'Email is not set up on this account yet, so the link cannot be sent. No link was created.',
  },
  sms: {
    field: 'phone',
    missing: '`phone` is required to send the link by text message.',
    noDelivery: 'Text messages are not set up on this account yet, so the link cannot be sent. No link was created.',
  },
} as const;

/** Returns the recipients of a new link. @throws ServiceError REQUIRED_FIELD_MISSING; RESOURCE_CONFLICT for a channel that is not set up. */
async function recipientsOf(
  deps: Dependencies,
  { tenantId }: Actor,
  { sendVia = [], customerEmail, phone }: NewLink,
): Promise<Recipient[]> {
  const recipients = sendVia.map((channel) => {
    const to = channel === 'email' ? customerEmail?.toLowerCase() : phone;
    const { field, missing } = UNSENDABLE[channel];
    if (to === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', missing, { field });
    return { channel, to };
  });
  for (const { channel } of recipients) {
    if (await deps.delivers(tenantId, channel)) continue;
    throw new ServiceError('RESOURCE_CONFLICT', UNSENDABLE[channel].noDelivery, {
      field: 'sendVia',
      details: { reason: 'no_delivery', channel },
    });
  }
  return recipients;
}

const contentColumns = ({ orderId, lines, tip, discount, granted }: LinkContent) => ({
  order_id: orderId,
  payment_lines: storedLineItems(lines),
  tip_minor: tip.minor,
  discount_minor: discount.minor,
  ...granted,
});

async function linesFrom(
  deps: Dependencies,
  { tenantId }: Actor,
  { merchantId }: Merchant,
  items: readonly NewItem[] | undefined,
  currency: Currency,
): Promise<InvoiceItem[]> {
  return itemsFrom(await withItems(deps.database.read(tenantId), merchantId, items ?? [], currency), currency);
}

/** Returns the merchant and the customer. @throws ServiceError VALIDATION_ERROR on `customerId` if they do not belong together. */
export async function partiesOf(
  deps: Dependencies,
  actor: Actor,
  customerId: string,
  merchantId?: string,
): Promise<{ readonly payer: Payer; readonly merchant: Merchant }> {
  const payer = await deps.customers.payer(actor, customerId);
  const merchant = checkOpen(await deps.merchants.merchantFor(actor, merchantId ?? payer.merchantId));
  if (payer.merchantId !== merchant.merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This customer belongs to another merchant.', { field: 'customerId' });
  return { payer, merchant };
}

export function customerColumns({ customerId, name, email, phone, company, address }: Payer) {
  return {
    customer_id: customerId,
    customer_name: name,
    customer_email: email,
    customer_phone: phone,
    customer_company: company,
    customer_address: address === null ? null : JSON.stringify(address),
  };
}

/** Returns the total: the sum of the items, or the amount. */
export function totalOf(items: readonly InvoiceItem[], requested: string | number | undefined, currency: Currency): Money {
  if (items.length === 0) {
    if (requested !== undefined) return parseMoney(requested, currency);
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`amount` or `items` is required.', { field: 'amount' });
  }
  const sum = sumOf(items, currency);
  if (requested !== undefined && parseMoney(requested, currency).minor !== sum.minor)
    throw new ServiceError('VALIDATION_ERROR', '`amount` differs from the sum of the items.', { field: 'amount' });
  if (sum.minor > 0) return sum;
  throw new ServiceError('INVALID_AMOUNT', 'The sum of the items must be greater than zero.', { field: 'amount' });
}

/** Returns the last day on which a payment is in time. With a date in the past, the invoice is overdue as soon as it is sent. */
export function dueDateFrom(text: string | undefined, today: string): string {
  if (text === undefined) return addDays(today, DUE_DAYS);
  const day = parseDate(text, 'dueDate');
  if (day >= addDays(today, -DISTANCE_MAX_DAYS) && day <= addDays(today, DISTANCE_MAX_DAYS)) return day;
  throw new ServiceError('VALIDATION_ERROR', '`dueDate` must be within a hundred years.', { field: 'dueDate' });
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function expiryFrom(text: string, now: number): number {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const at = isDate(day) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at))
    throw new ServiceError('VALIDATION_ERROR', '`expiresAt` must be an ISO 8601 time such as 2027-01-31T12:00:00Z.', {
      field: 'expiresAt',
    });
  if (at > now) return at;
  throw new ServiceError('VALIDATION_ERROR', '`expiresAt` must be in the future.', { field: 'expiresAt' });
}

export const trimmedOrNull = (text: string | null | undefined) => (text == null || text.trim() === '' ? null : text.trim());

function blankRow({ tenantId }: Actor, merchant: Merchant, now: number) {
  const at = isoTime(now);
  return {
    tenant_id: tenantId,
    id: newId('inv', now),
    merchant_id: merchant.merchantId,
    number: '',
    customer_id: null,
    customer_name: null,
    customer_email: null,
    customer_phone: null,
    customer_company: null,
    customer_address: null,
    paid_minor: 0,
    late_fee_minor: 0,
    pending_minor: 0,
    unpaid_minor: null,
    due_date: null,
    items: '[]',
    note: null,
    order_id: null,
    payment_lines: null,
    tip_minor: 0,
    discount_minor: 0,
    ...NO_DISCOUNT,
    page_token: newPageToken(),
    short_code: '',
    hosted_url: null,
    ask_for_tip: null,
    expires_ms: null,
    sent_at: null,
    paid_at: null,
    overdue_at: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    ...NOT_STOPPED,
    reminders_since_day: null,
    ...NO_PROMISE,
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
}

/** Writes a new invoice with its number and its short link. If the short code is already in use, another one is generated. */
async function write(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  newRow: InvoiceRow,
  { claim, attach, delivery }: { readonly claim?: Claim; readonly attach?: Claim; readonly delivery?: Delivery },
): Promise<Sent> {
  for (let attemptsLeft = CODE_ATTEMPTS; ; attemptsLeft -= 1) {
    const short_code = newShortCode();
    try {
      return await runIdempotent(deps, actor, async (work) => {
        // A concurrent deletion of the customer comes before or after the whole unit of work.
        if (newRow.customer_id !== null) await deps.customers.lock(work, newRow.customer_id);
        await claim?.(work, newRow.id);
        const row = { ...newRow, short_code, number: await takeNumber(work, merchant.merchantId) };
        await deps.claimSpending(work, actor, money(row.amount_minor, storedCurrency(row.currency)));
        work.insert(INVOICES, row);
        work.insert(SHORT_LINKS, {
          tenant_id: row.tenant_id,
          code: short_code,
          target: `/pay/${row.page_token}`,
          invoice_id: row.id,
          expires_ms: row.expires_ms,
          created_at: row.created_at,
        });
        const recipients = delivery?.recipients ?? [];
        const more = recipients.length === 0 ? {} : sentTo(recipients);
        auditInvoice(deps, work, actor, row.kind === 'link' ? 'link_created' : 'created', null, row, more);
        notifyScreens(deps, work, row);
        await attach?.(work, row.id);
        const messageIds = delivery === undefined ? [] : await writeMessages(deps, work, { row, merchant }, recipients, delivery.atMs);
        return { invoice: await loadInvoice(deps, work, row, merchant), messageIds };
      });
    } catch (error) {
      if (attemptsLeft <= 1 || !(error instanceof UniqueViolation) || error.table !== 'short_links') throw error;
    }
  }
}
