import { namedValues, type Read, type Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import {
  INVOICE_PAYMENTS,
  INVOICES,
  type InvoicePaymentRow,
  type InvoicePaymentStatus,
  type InvoiceRow,
  SHORT_LINKS,
  type ShortLinkRow,
} from './schema.ts';

/** A payment with what its transaction says of it. */
export interface FoundPayment extends InvoicePaymentRow {
  readonly card_brand: string | null;
  readonly last4: string | null;
  readonly account_type: string | null;
  readonly refunded_minor: number | null;
}

/** How many of the payments that failed on an invoice's page are looked at. */
const FAILED_SHOWN = 20;

/** The payments of invoices, the oldest first; of those that failed on the page, the newest twenty of each invoice. */
export async function paymentsOf(read: Read, invoiceIds: readonly string[]): Promise<Map<string, FoundPayment[]>> {
  const found = new Map<string, FoundPayment[]>(invoiceIds.map((id) => [id, []]));
  if (invoiceIds.length === 0) return found;
  const { names, params } = namedValues(invoiceIds);
  const rows = await read.all<FoundPayment>(
    `SELECT ${INVOICE_PAYMENTS.columns.map((column) => `p.${column}`).join(', ')}, t.card_brand, t.last4, t.account_type, t.refunded_minor FROM (SELECT ${INVOICE_PAYMENTS.columns.join(', ')}, row_number() OVER (PARTITION BY invoice_id, origin, status ORDER BY id DESC) AS nth FROM invoice_payments WHERE tenant_id = :tenantId AND invoice_id IN (${names.join(', ')})) p LEFT JOIN transactions t ON t.tenant_id = p.tenant_id AND t.id = p.transaction_id WHERE p.nth <= ${FAILED_SHOWN} OR p.origin <> 'page' OR p.status <> 'failed' ORDER BY p.id`,
    params,
  );
  for (const row of rows) found.get(row.invoice_id)?.push({ ...row, refunded_minor: Number(row.refunded_minor ?? 0) });
  return found;
}

export function missing(id: string): ServiceError {
  return new ServiceError('INVOICE_NOT_FOUND', `There is no invoice ${id.slice(0, 60)}.`, { details: { invoiceId: id } });
}

/** The invoice's row, locked; INVOICE_NOT_FOUND when the tenant has none of that id. */
export async function lockInvoice(work: Work, id: string): Promise<InvoiceRow> {
  const row = await work.lockOne(INVOICES, { id });
  if (!row) throw missing(id);
  return row;
}

/** The next number of a merchant, without gaps: it is given back with the unit of work that took it. */
export async function takeNumber(work: Work, merchantId: string): Promise<string> {
  const [taken] = await work.all<{ last: number }>(
    'INSERT INTO invoice_numbers (tenant_id, merchant_id, last) VALUES (:tenantId, :merchantId, 1) ON CONFLICT (tenant_id, merchant_id) DO UPDATE SET last = invoice_numbers.last + 1 RETURNING last',
    { merchantId },
  );
  return numberOf(Number(taken?.last));
}

const NUMBER_DIGITS = 6;
/** How an invoice is called: INV-000001. */
export const numberOf = (n: number) => `INV-${String(n).padStart(NUMBER_DIGITS, '0')}`;

/** Whose page a token opens, within what is read; null for an unknown one. */
export async function ofPage(read: Read, token: string): Promise<InvoiceRow | null> {
  const mine = read.tenantId === null ? '' : 'tenant_id = :tenantId AND ';
  const sql = `SELECT ${INVOICES.columns.join(', ')} FROM invoices WHERE ${mine}page_token = :token`;
  const [row] = await read.all<InvoiceRow>(sql, { token });
  return row ?? null;
}

/** What a short code stands for, whoever's it is. */
export async function ofCode(read: Read, code: string): Promise<ShortLinkRow | null> {
  const [row] = await read.all<ShortLinkRow>(`SELECT ${SHORT_LINKS.columns.join(', ')} FROM short_links WHERE code = :code`, { code });
  return row ?? null;
}

/** Where the transaction of a payment stands at this moment of the work. */
export async function standingOf(
  work: Work,
  transactionId: string,
): Promise<{ status: string; decline_code: string | null; decline_reason: string | null } | null> {
  const [row] = await work.all<{ status: string; decline_code: string | null; decline_reason: string | null }>(
    'SELECT status, decline_code, decline_reason FROM transactions WHERE tenant_id = :tenantId AND id = :transactionId',
    { transactionId },
  );
  return row ?? null;
}

/** The payment that a transaction belongs to; null for most transactions. */
export async function ofTransaction(read: Read, transactionId: string, status?: InvoicePaymentStatus): Promise<InvoicePaymentRow | null> {
  return read.one(INVOICE_PAYMENTS, { transaction_id: transactionId, ...(status === undefined ? {} : { status }) });
}
