import { setImmediate as pause } from 'node:timers/promises';
import type { PageRequest } from '#core/database';
import { type Caller, checkPeriod, dateIn, money, type Period, ServiceError, storedCurrency } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Payer } from '#core/sales/customers';
import { type AccountEntry, byTime, entriesOfInvoice, entriesOfSale } from './account.ts';
import type { Dependencies } from './dependencies.ts';
import { invoicesOf, salesOf } from './facts.ts';
import type { CustomerStatement, StatementAccount, StatementEntry } from './records.ts';

/** Largest number of entries of one statement, and of its document. */
const ENTRIES_MAX = 100_000;
/** A document is drawn by the service; the end of a longer one would block other requests. */
export const DOCUMENT_ENTRIES_MAX = 3_000;
/** Entries that are yielded together. */
const PAGE = 500;

/** A statement without its entries. */
interface StatementHead extends Omit<CustomerStatement, 'entries'> {
  readonly customer: Payer;
  readonly merchant: Merchant;
}

export interface Statement extends StatementHead {
  readonly entries: CustomerStatement['entries'];
}

interface Sums {
  opening: number;
  charges: number;
  credits: number;
  received: number;
  paidOut: number;
}

/** A statement whose entries are not in the form of the API yet, in which 100,000 would need much more memory. */
interface ReadStatement {
  readonly head: StatementHead;
  /** In order of time. */
  readonly entries: readonly AccountEntry[];
}

async function readStatement(
  deps: Dependencies,
  actor: Caller,
  customerId: string,
  period: Period,
  entriesMax = ENTRIES_MAX,
): Promise<ReadStatement> {
  checkPeriod(period);
  const customer = await deps.customers.payer(actor, customerId);
  const merchant = await deps.merchantFor(actor, customer.merchantId);
  const { timezone: zone, merchantId } = merchant;
  const today = dateIn(zone, deps.clockOf(actor.tenantId).now());
  const endDate = period.endDate ?? (period.startDate !== undefined && period.startDate > today ? period.startDate : today);
  const startDate = period.startDate ?? `${endDate.slice(0, 8)}01`;
  const sums = new Map<string, Sums>();
  const found: AccountEntry[] = [];
  const add = (entry: AccountEntry): void => {
    const date = dateOf(entry, zone);
    if (date > endDate) return;
    const sum = sums.get(entry.currency) ?? { opening: 0, charges: 0, credits: 0, received: 0, paidOut: 0 };
    sums.set(entry.currency, sum);
    if (date < startDate) {
      sum.opening += entry.chargeMinor - entry.creditMinor;
      return;
    }
    if (found.length === entriesMax) throw tooLong(entriesMax);
    sum.charges += entry.chargeMinor;
    sum.credits += entry.creditMinor;
    if (entry.moneyMinor > 0) sum.received += entry.moneyMinor;
    else sum.paidOut -= entry.moneyMinor;
    found.push(entry);
  };
  const read = deps.database.read(actor.tenantId);
  for await (const invoices of invoicesOf(read, { customerId, merchantId })) {
    for (const invoice of invoices) for (const entry of entriesOfInvoice(invoice)) add(entry);
  }
  for await (const sales of salesOf(read, { customerId, merchantId })) {
    for (const sale of sales) for (const entry of entriesOfSale(sale)) add(entry);
  }
  found.sort(byTime);
  const head: StatementHead = {
    customer,
    merchant,
    customerId,
    customerName: customer.name ?? customer.company,
    merchantId,
    startDate,
    endDate,
    total: found.length,
    accounts: [...sums].toSorted().map(([code, sum]) => accountOf(code, sum)),
  };
  return { head, entries: found };
}

/**
 * Returns the statement of a customer over days of the merchant's time zone, with all its entries; by default from the first day of the month on, until
 * today. @throws ServiceError CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED, INVALID_DATE; VALIDATION_ERROR for a period with more entries than `entriesMax`.
 */
export async function statementOf(
  deps: Dependencies,
  actor: Caller,
  customerId: string,
  period: Period,
  entriesMax: number,
): Promise<Statement> {
  const statement = await readStatement(deps, actor, customerId, period, entriesMax);
  const entries: StatementEntry[] = [];
  for await (const page of withBalances(statement)) entries.push(...page);
  return { ...statement.head, entries };
}

function tooLong(limit: number): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `The period has more than ${limit} entries. Choose a shorter one, or the CSV file.`, {
    field: 'startDate',
    details: { reason: 'too_many_entries', limit },
  });
}

function accountOf(code: string, { opening, charges, credits, received, paidOut }: Sums): StatementAccount {
  const currency = storedCurrency(code);
  return {
    currency,
    openingBalance: money(opening, currency),
    charges: money(charges, currency),
    credits: money(credits, currency),
    received: money(received, currency),
    paidOut: money(paidOut, currency),
    closingBalance: money(opening + charges - credits, currency),
  };
}

/** Yields entries from one index to another with the balance after each, some at a time. */
async function* withBalances({ head, entries }: ReadStatement, from = 0, to = entries.length): AsyncGenerator<StatementEntry[]> {
  const balances = new Map<string, number>(head.accounts.map(({ openingBalance: { currency, minor } }) => [currency, minor]));
  const zone = head.merchant.timezone;
  for (let start = 0; start < to; start += PAGE) {
    const shown: StatementEntry[] = [];
    for (const [offset, entry] of entries.slice(start, Math.min(start + PAGE, to)).entries()) {
      const balance = (balances.get(entry.currency) ?? 0) + entry.chargeMinor - entry.creditMinor;
      balances.set(entry.currency, balance);
      if (start + offset >= from) shown.push(toEntry(entry, balance, zone));
    }
    if (shown.length > 0) yield shown;
    await pause();
  }
}

/** Returns the day of an entry: that of the ledger, which stays if the time zone of the merchant is changed, so that the sums of a period agree with it. */
const dateOf = ({ day, at }: AccountEntry, zone: string): string => day ?? dateIn(zone, Date.parse(at));

function toEntry(entry: AccountEntry, balance: number, zone: string): StatementEntry {
  const currency = storedCurrency(entry.currency);
  const { id, at, kind, invoiceId, invoiceNumber, dueDate, transactionId, tenderId, method, last4, reference } = entry;
  return {
    entryId: id,
    at,
    date: dateOf(entry, zone),
    kind,
    currency,
    charge: money(entry.chargeMinor, currency),
    credit: money(entry.creditMinor, currency),
    balance: money(balance, currency),
    money: money(entry.moneyMinor, currency),
    invoiceId,
    invoiceNumber,
    dueDate,
    transactionId,
    tenderId,
    method,
    last4,
    reference,
  };
}

/** Returns a statement with one page of its entries; the balances and sums are those of the whole period. */
export async function statementPage(
  deps: Dependencies,
  actor: Caller,
  customerId: string,
  period: Period,
  { page, limit }: PageRequest,
): Promise<CustomerStatement> {
  const statement = await readStatement(deps, actor, customerId, period);
  const { customer: _customer, merchant: _merchant, ...head } = statement.head;
  const entries: StatementEntry[] = [];
  for await (const shown of withBalances(statement, (page - 1) * limit, Math.min(page * limit, head.total))) entries.push(...shown);
  return { ...head, entries };
}

/** Yields the entries of a statement. */
export async function* statementLines(
  deps: Dependencies,
  actor: Caller,
  customerId: string,
  period: Period,
): AsyncGenerator<readonly (StatementEntry & { readonly merchantId: string })[]> {
  const statement = await readStatement(deps, actor, customerId, period);
  const { merchantId } = statement.head;
  for await (const shown of withBalances(statement)) yield shown.map((entry) => ({ ...entry, merchantId }));
}
