import { lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import { READABLE_TRANSACTIONS } from '#core/sales/payments';
import { cashRoundings, READABLE_TENDERS } from '#core/sales/tenders';
import {
  INVOICE_NUMBERS,
  INVOICE_PAYMENTS,
  INVOICES,
  type InvoicePaymentRow,
  type InvoicePaymentStatus,
  type InvoiceRow,
  SHORT_LINKS,
  type ShortLinkRow,
} from './schema.ts';

const queries = queriesOn(INVOICE_PAYMENTS, INVOICE_NUMBERS, READABLE_TRANSACTIONS, READABLE_TENDERS);

/** A payment with details of its transaction. */
export interface FoundPayment extends InvoicePaymentRow {
  readonly card_brand: string | null;
  readonly last4: string | null;
  readonly account_type: string | null;
  readonly refunded_minor: number | null;
  readonly rounding_minor: number;
}

/** Number of failed payments that an invoice shows. */
const FAILED_SHOWN = 20;

/** Returns the payments of invoices, oldest first; of those that failed on the pay page, only the newest twenty of each invoice. */
export async function paymentsOf(read: Read, invoiceIds: readonly string[]): Promise<Map<string, FoundPayment[]>> {
  const found = new Map<string, FoundPayment[]>(invoiceIds.map((id) => [id, []]));
  if (invoiceIds.length === 0) return found;
  const numbered = queries
    .selectFrom('invoice_payments')
    .selectAll()
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy(['invoice_id', 'origin', 'status']).orderBy('id', 'desc'))
        .as('nth'),
    )
    .where('tenant_id', '=', TENANT)
    .where('invoice_id', 'in', invoiceIds);
  const rows = await read.rows(
    queries
      .selectFrom(numbered.as('p'))
      .leftJoin('transactions as t', (join) => join.on('t.tenant_id', '=', TENANT).onRef('t.id', '=', 'p.transaction_id'))
      .leftJoin('tenders as c', (join) => join.on('c.tenant_id', '=', TENANT).onRef('c.id', '=', 'p.tender_id'))
      .selectAll('p')
      .select(({ fn }) => [
        't.card_brand',
        't.last4',
        't.account_type',
        fn.coalesce('t.refunded_minor', 'c.refunded_minor').as('refunded_minor'),
      ])
      .where(({ or, eb }) =>
        or([eb('p.nth', '<=', lit(FAILED_SHOWN)), eb('p.origin', '<>', lit('page')), eb('p.status', '<>', lit('failed'))]),
      )
      .orderBy('p.id'),
  );
  const roundings = await cashRoundings(
    read,
    rows.flatMap(({ method, tender_id }) => (method === 'cash' ? (tender_id ?? []) : [])),
  );
  for (const row of rows)
    found.get(row.invoice_id)?.push({
      ...row,
      refunded_minor: Number(row.refunded_minor ?? 0),
      rounding_minor: roundings.get(row.tender_id ?? '') ?? 0,
    });
  return found;
}

export function invoiceNotFound(id: string): ServiceError {
  return new ServiceError('INVOICE_NOT_FOUND', `There is no invoice ${id.slice(0, 60)}.`, { details: { invoiceId: id } });
}

/** Locks an invoice and returns its row. @throws ServiceError INVOICE_NOT_FOUND. */
export async function lockInvoice(work: Work, id: string): Promise<InvoiceRow> {
  const row = await work.lockOne(INVOICES, { id });
  if (!row) throw invoiceNotFound(id);
  return row;
}

/** Returns the next number of a merchant. Numbers have no gaps: a failed unit of work returns its number. */
export async function takeNumber(work: Work, merchantId: string): Promise<string> {
  const taken = await work.row(
    queries
      .insertInto('invoice_numbers')
      .values({ tenant_id: TENANT, merchant_id: merchantId, last: 1 })
      .onConflict((known) =>
        known.columns(['tenant_id', 'merchant_id']).doUpdateSet(({ eb }) => ({ last: eb('invoice_numbers.last', '+', lit(1)) })),
      )
      .returning('last'),
  );
  return numberOf(Number(taken?.last));
}

const NUMBER_DIGITS = 6;
/** Formats an invoice number: INV-000001. */
export const numberOf = (n: number) => `INV-${String(n).padStart(NUMBER_DIGITS, '0')}`;

/** Finds an invoice by the token of its page; null if the token is unknown. */
export async function findByPageToken(read: Read, token: string): Promise<InvoiceRow | null> {
  return read.one(INVOICES, { page_token: token });
}

/** Finds the target of a short code in any tenant. */
export async function findByShortCode(read: Read, code: string): Promise<ShortLinkRow | null> {
  return read.one(SHORT_LINKS, { code });
}

/** Returns the status of a payment's transaction as the unit of work sees it. */
export async function transactionStatusOf(
  work: Work,
  transactionId: string,
): Promise<{ status: string; decline_code: string | null; decline_reason: string | null } | null> {
  return work.row(
    queries
      .selectFrom('transactions')
      .select(['status', 'decline_code', 'decline_reason'])
      .where('tenant_id', '=', TENANT)
      .where('id', '=', transactionId),
  );
}

/** Returns the payment that a transaction belongs to; null for most transactions. */
export async function findPaymentByTransaction(
  read: Read,
  transactionId: string,
  status?: InvoicePaymentStatus,
): Promise<InvoicePaymentRow | null> {
  return read.one(INVOICE_PAYMENTS, { transaction_id: transactionId, ...(status === undefined ? {} : { status }) });
}
