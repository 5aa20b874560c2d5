import { sql } from 'kysely';
import { invoiceNumber, NAME_MIN, nameStart, READABLE_INVOICES, READABLE_PAYER_NAMES } from '#core/billing/invoicing';
import { listOf, lit, queriesOn, type Read, TENANT } from '#core/database';
import type { BankAccountRow } from '../schema.ts';
import { type InvoiceFinder, isBefore, type OpenInvoice } from './invoices.ts';
import type { OpenLine } from './suggestion.ts';
import { createTextFinder } from './text-finder.ts';

/** Values of one `in` condition. */
const LIST_MAX = 512;
/** Invoices with one amount that are read after the first two. */
const AMOUNT_ROWS = 200;
/** Positions in texts whose look-up costs as much as the reading of one name, or more. */
const POSITIONS_PER_NAME = 8;

/** Reads of the unpaid invoices of the merchant of an account, in its currency. Their time does not grow with the number of invoices. */
export interface UnpaidInvoices {
  readonly exist: boolean;
  readonly numbered: (numbers: readonly number[]) => Promise<OpenInvoice[]>;
  /** Returns the customers with a name that one of the compact texts contains. They may have no unpaid invoices with it. */
  readonly customersIn: (texts: readonly string[]) => Promise<string[]>;
  readonly ofCustomers: (customerIds: readonly string[]) => Promise<OpenInvoice[]>;
  /** Returns the two oldest invoices of each amount. */
  readonly oldestOf: (amounts: readonly number[]) => Promise<OpenInvoice[]>;
  /** Returns the next invoices of an amount after an ID, the oldest first; none if there are no more. */
  readonly next: (minor: number, after: string) => Promise<OpenInvoice[]>;
}

interface Text {
  readonly line: OpenLine;
  readonly compact: string;
}
type Credit = Pick<OpenLine, 'id' | 'day' | 'minor'>;

/** Returns functions that add the unpaid invoices to a finder that can explain lines, those of many lines together. */
export function createInvoiceReader(unpaid: UnpaidInvoices, finder: InvoiceFinder) {
  const known = new Set<string>();
  /** Last invoice that was read of each amount; null if there are no more. */
  const lastOf = new Map<number, OpenInvoice | null>();
  return {
    /** Reads the invoices that the texts of lines name, by their numbers, or by their customers. */
    async namedBy(texts: readonly Text[]): Promise<void> {
      const credits = texts.filter(({ line }) => line.minor > 0);
      if (!unpaid.exist || credits.length === 0) return;
      finder.add(await unpaid.numbered([...new Set(credits.flatMap(({ line, compact }) => finder.numbersOf(line, compact)))]));
      const named = await unpaid.customersIn(credits.map(({ compact }) => compact));
      const customers = new Set([...named, ...credits.flatMap(({ compact }) => finder.payersIn(compact))]);
      finder.add(await unpaid.ofCustomers([...customers].filter((id) => !known.has(id))));
      for (const id of customers) known.add(id);
    },
    /** Reads the oldest two invoices with the amount of each line. */
    async withAmountsOf(lines: readonly Credit[]): Promise<void> {
      if (!unpaid.exist) return;
      const amounts = [...new Set(lines.map(({ minor }) => minor))].filter((minor) => !lastOf.has(minor));
      const byMinor = Map.groupBy(await unpaid.oldestOf(amounts), ({ minor }) => minor);
      for (const minor of amounts) {
        const [first, second] = byMinor.get(minor) ?? [];
        lastOf.set(minor, (first && second) ?? null);
        finder.add([first, second].filter((invoice) => invoice !== undefined));
      }
    },
    /** Reads further invoices with the amount of a line, until it is known whether several have it. */
    async withAmountOf(line: Credit): Promise<void> {
      const isOld = isBefore(line);
      for (let last = lastOf.get(line.minor); last && isOld(last) && !finder.hasSeveral(line); ) {
        const more = await unpaid.next(line.minor, last.id);
        finder.add(more);
        last = more.at(-1) ?? null;
        lastOf.set(line.minor, last);
      }
    },
  };
}

const queries = queriesOn(READABLE_INVOICES, READABLE_PAYER_NAMES);
const invoices = queries.selectFrom('invoices').where('tenant_id', '=', TENANT);
const COLUMNS = [
  'id',
  'number',
  'merchant_id',
  'customer_id',
  'customer_name',
  'customer_company',
  'currency',
  'unpaid_minor',
  'created_at',
  'due_date',
] as const;

/** Returns the reads for an account. */
export async function unpaidInvoices(
  read: Read,
  { merchant_id, currency }: Pick<BankAccountRow, 'merchant_id' | 'currency'>,
): Promise<UnpaidInvoices> {
  const ofMerchant = invoices.where('merchant_id', '=', merchant_id);
  const names = queries.selectFrom('invoice_payer_names').where('tenant_id', '=', TENANT).where('merchant_id', '=', merchant_id);
  const unpaid = ofMerchant.where('currency', '=', currency).where('unpaid_minor', '>', lit(0));
  const rowsWith = async (column: 'id' | 'number' | 'customer_id', values: readonly string[]): Promise<OpenInvoice[]> => {
    const from = column === 'customer_id' ? invoices.where('unpaid_minor', '>', lit(0)) : column === 'number' ? ofMerchant : invoices;
    const rows = await inLists(values, (list) => read.rows(from.select(COLUMNS).where(column, 'in', list)));
    return rows.filter((row) => row.merchant_id === merchant_id && row.currency === currency).flatMap(toOpenInvoice);
  };
  /** Finds the customer by a name in a text, if all names are read because the texts are longer. */
  let findCustomers: ((text: string) => string[]) | null = null;

  return {
    exist: (await read.row(unpaid.select('id').orderBy('unpaid_minor').limit(1))) !== null,
    numbered: (numbers) => rowsWith('number', numbers.map(invoiceNumber)),
    async customersIn(texts) {
      if (!findCustomers) {
        const most = Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / POSITIONS_PER_NAME);
        const few = await read.rows(
          names
            .select(['name', 'customer_id'])
            .orderBy('name')
            .limit(most + 1),
        );
        if (few.length <= most) findCustomers = createTextFinder(few.map(({ name, customer_id }) => [name, customer_id] as const));
      }
      if (findCustomers) return [...new Set(texts.flatMap(findCustomers))];
      const starts = new Set<string>();
      eachStart(texts, (start) => starts.add(start));
      const found = await inLists([...starts], (list) =>
        read.rows(names.select(['start', 'length']).distinct().where('start', 'in', list)),
      );
      const lengths = Map.groupBy(found, ({ start }) => start);
      const candidates = new Set<string>();
      eachStart(texts, (start, text, at) => {
        for (const { length } of lengths.get(start) ?? []) candidates.add(text.slice(at, at + Number(length)));
      });
      const customers = await inLists([...candidates], (list) =>
        read.rows(names.select('customer_id').distinct().where('name', 'in', list)),
      );
      return customers.map(({ customer_id }) => customer_id);
    },
    ofCustomers: (customerIds) => rowsWith('customer_id', customerIds),
    async oldestOf(amounts) {
      const nth = (offset: number) =>
        unpaid.select('id').where('unpaid_minor', '=', sql.ref<number>('amounts.column1')).orderBy('id').limit(lit(1)).offset(lit(offset));
      const rows = await inLists(amounts.map(String), (list) =>
        read.rows(
          queries
            .selectFrom(sql<{ column1: number }>`(values ${sql.join(list.map((minor) => sql`(cast(${minor} as bigint))`))})`.as('amounts'))
            .select([nth(0).as('first'), nth(1).as('second')]),
        ),
      );
      const ids = new Set(rows.flatMap(({ first, second }) => [first, second].filter((id) => id !== null)));
      return (await rowsWith('id', [...ids])).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
    async next(minor, after) {
      const rows = await read.rows(
        unpaid.select(COLUMNS).where('unpaid_minor', '=', minor).where('id', '>', after).orderBy('id').limit(lit(AMOUNT_ROWS)),
      );
      return rows.flatMap(toOpenInvoice);
    },
  };
}

/** Calls a function with each start of a name that texts can have, and its position. */
function eachStart(texts: readonly string[], use: (start: string, text: string, at: number) => void): void {
  for (const text of texts) for (let at = 0; at + NAME_MIN <= text.length; at += 1) use(nameStart(text, at), text, at);
}

interface FoundRow {
  readonly id: string;
  readonly number: string;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly customer_company: string | null;
  readonly unpaid_minor: number | null;
  readonly created_at: string;
  readonly due_date: string | null;
}

/** Returns an unpaid invoice; nothing for another one. */
function toOpenInvoice(row: FoundRow): OpenInvoice[] {
  if (row.unpaid_minor === null) return [];
  return [
    {
      id: row.id,
      number: row.number,
      customerId: row.customer_id,
      names: [row.customer_name, row.customer_company].filter((name) => name !== null),
      minor: Number(row.unpaid_minor),
      day: row.created_at.slice(0, 10),
      dueDay: row.due_date,
    },
  ];
}

/** Returns the rows that a function finds for values in lists for `in` conditions. */
async function inLists<Row>(values: readonly string[], find: (list: string[]) => Promise<readonly Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for (let from = 0; from < values.length; from += LIST_MAX) found.push(...(await find(listOf(values.slice(from, from + LIST_MAX)))));
  return found;
}
