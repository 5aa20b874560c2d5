import type { Payer } from '#core/customers';
import { UniqueViolation } from '#core/database';
import {
  type Actor,
  addDays,
  type Currency,
  dateIn,
  isDate,
  isoTime,
  type Money,
  newId,
  parseCurrency,
  parseDate,
  parseMoney,
  ServiceError,
  tenantTime,
} from '#core/kernel';
import { type Merchant, openFor } from '#core/merchants';
import { dueAt } from '#core/platform/scheduling';
import { newPageToken, newShortCode } from './codes.ts';
import type { NewInvoice, NewLink } from './input.ts';
import type { Invoice } from './invoice.ts';
import { type InvoiceItem, itemsFrom, storedItems, sumOf } from './items.ts';
import { type Needs, onceIn, tellScreens } from './needs.ts';
import { shown } from './read.ts';
import { takeNumber } from './repository.ts';
import { INVOICES, type InvoiceRow, SHORT_LINKS } from './schema.ts';
import { note } from './tell.ts';

const DUE_DAYS = 30;
/** Nobody's invoice is due later, or was due so long ago. */
const AWAY_MAX_DAYS = 36_525;
const CODE_TRIES = 5;

/**
 * Writes an invoice: a draft. Throws CUSTOMER_NOT_FOUND, the Validation codes; VALIDATION_ERROR on `amount` where the items come to another, and on
 * `customerId` for another merchant's customer.
 */
export async function create(on: Needs, by: Actor, input: NewInvoice): Promise<Invoice> {
  const { payer, merchant } = await partiesOf(on, by, input.customerId, input.merchantId);
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const items = itemsFrom(input.items ?? [], currency);
  const amount = totalOf(items, input.amount, currency);
  const now = on.clockOf(by.tenantId).now();
  const row: InvoiceRow = {
    ...blankRow(by, merchant, now),
    kind: 'invoice',
    ...customerColumns(payer),
    currency,
    amount_minor: amount.minor,
    status: 'draft',
    due_date: dueDateFrom(input.dueDate, dateIn(merchant.timezone, now)),
    items: storedItems(items),
    note: textOf(input.note),
    description: textOf(input.description),
    allow_partial: input.allowPartial ? 1 : 0,
  };
  return write(on, by, merchant, row);
}

/** Makes a payment link: an invoice of an amount alone that counts as sent. Throws the Validation codes. */
export async function createLink(on: Needs, by: Actor, input: NewLink): Promise<Invoice> {
  const merchant = openFor(await on.merchants.merchantFor(by, input.merchantId));
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const now = on.clockOf(by.tenantId).now();
  const row: InvoiceRow = {
    ...blankRow(by, merchant, now),
    kind: 'link',
    customer_email: input.customerEmail?.toLowerCase() ?? null,
    currency,
    amount_minor: parseMoney(input.amount, currency).minor,
    status: 'sent',
    description: textOf(input.description),
    allow_partial: input.allowPartial ? 1 : 0,
    expires_ms: input.expiresAt === undefined ? null : tenantTime(expiryFrom(input.expiresAt, now)),
  };
  return write(on, by, merchant, row);
}

/** Who is asked, and by whom; VALIDATION_ERROR on `customerId` where they do not belong together. */
export async function partiesOf(on: Needs, by: Actor, customerId: string, merchantId?: string) {
  const payer = await on.customers.payer(by, customerId);
  const merchant = openFor(await on.merchants.merchantFor(by, merchantId ?? payer.merchantId));
  if (payer.merchantId !== merchant.merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This customer is another merchant’s.', { field: 'customerId' });
  return { payer, merchant };
}

export function customerColumns({ customerId, name, email, phone }: Payer) {
  return { customer_id: customerId, customer_name: name, customer_email: email, customer_phone: phone };
}

/** What is asked for: the sum of the items, or the amount that stands alone. */
export function totalOf(items: readonly InvoiceItem[], asked: string | number | undefined, currency: Currency): Money {
  if (items.length === 0) {
    if (asked !== undefined) return parseMoney(asked, currency);
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'amount is required, or items that say it.', { field: 'amount' });
  }
  const sum = sumOf(items, currency);
  if (asked !== undefined && parseMoney(asked, currency).minor !== sum.minor)
    throw new ServiceError('VALIDATION_ERROR', 'The amount is not what the items come to.', { field: 'amount' });
  if (sum.minor > 0) return sum;
  throw new ServiceError('INVALID_AMOUNT', 'The items must come to more than zero.', { field: 'amount' });
}

/** The last day on which it is paid in time; one in the past is overdue as soon as it is sent. */
export function dueDateFrom(text: string | undefined, today: string): string {
  if (text === undefined) return addDays(today, DUE_DAYS);
  const day = parseDate(text, 'dueDate');
  if (day >= addDays(today, -AWAY_MAX_DAYS) && day <= addDays(today, AWAY_MAX_DAYS)) return day;
  throw new ServiceError('VALIDATION_ERROR', 'dueDate must be within a hundred years.', { field: 'dueDate' });
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function expiryFrom(text: string, now: number): number {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const at = isDate(day) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at))
    throw new ServiceError('VALIDATION_ERROR', 'expiresAt must be an ISO 8601 time such as 2027-01-31T12:00:00Z.', { field: 'expiresAt' });
  if (at > now) return at;
  throw new ServiceError('VALIDATION_ERROR', 'expiresAt must be in the future.', { field: 'expiresAt' });
}

export const textOf = (text: string | null | undefined) => (text == null || text.trim() === '' ? null : text.trim());

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
    paid_minor: 0,
    pending_minor: 0,
    due_date: null,
    items: '[]',
    note: null,
    page_token: newPageToken(),
    short_code: '',
    expires_ms: null,
    sent_at: null,
    paid_at: null,
    overdue_at: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
}

/** Writes a new invoice with its number and its short address; a code that is taken already is drawn again. */
async function write(on: Needs, by: Actor, merchant: Merchant, of: InvoiceRow): Promise<Invoice> {
  for (let left = CODE_TRIES; ; left -= 1) {
    const short_code = newShortCode();
    try {
      return await onceIn(
        on,
        by,
        async (work) => {
          // Whoever deletes the customer meanwhile comes before or after the whole of it.
          if (of.customer_id !== null) await on.customers.lock(work, of.customer_id);
          const row = { ...of, short_code, number: await takeNumber(work, merchant.merchantId) };
          work.insert(INVOICES, row);
          work.insert(SHORT_LINKS, {
            tenant_id: row.tenant_id,
            code: short_code,
            target: `/pay/${row.page_token}`,
            invoice_id: row.id,
            expires_ms: row.expires_ms,
            created_at: row.created_at,
          });
          note(on, work, by, row.kind === 'link' ? 'link_created' : 'created', null, row);
          tellScreens(on, work, row.tenant_id);
          return shown(on, work, row, merchant);
        },
        (invoice) => ({ invoice }),
      );
    } catch (error) {
      if (left <= 1 || !(error instanceof UniqueViolation) || error.table !== 'short_links') throw error;
    }
  }
}
