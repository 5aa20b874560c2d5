import type { Read } from '#core/database';
import { type Currency, type Money, money, storedCurrency } from '#core/kernel';
import { amount, count, currencyCode, day, flag, id, list, nullable, record, text } from '#core/platform/fields';
import { unpaidByDueDate } from './daily-run.ts';
import type { InvoiceRow } from './schema.ts';

/** Invoices that a preview looks at, and those that it lists. */
const LOOKED_AT_MAX = 1_000;
const LISTED_MAX = 20;

/** Fields of a preview about the unpaid invoices that are reminded or charged first. `next`: type of what happens to one next. */
export const firstFields = <Next extends Parameters<typeof record>[1][string]>(name: string, next: Next, done: string) => ({
  first: list(
    record(name, {
      invoiceId: id('inv', 'ID of the invoice'),
      number: text('Number of the invoice', 'INV-000042'),
      customerName: nullable(text('Name of the customer', 'Ines Brandt')),
      amountDue: amount('Amount due', 49.99),
      currency: currencyCode(),
      dueDate: day('Due date'),
      next,
    }),
    `Unpaid invoices that are ${done} first; at most ${LISTED_MAX}`,
  ),
  firstCount: count(`Number of unpaid invoices that are ${done}, among the 1,000 that were looked at`, 12),
  isComplete: flag('False if more unpaid invoices exist than were looked at', true),
});

/** Returns unpaid invoices of a merchant for a preview, those that are due first at the beginning, and whether these are all. */
export async function unpaidForPreview(read: Read, merchantId: string, fromDay = ''): Promise<{ rows: InvoiceRow[]; isComplete: boolean }> {
  const query = unpaidByDueDate(merchantId).selectAll().where('due_date', '>=', fromDay);
  const rows = await read.rows(query.limit(LOOKED_AT_MAX + 1));
  return { rows: rows.slice(0, LOOKED_AT_MAX), isComplete: rows.length <= LOOKED_AT_MAX };
}

interface PreviewFields<Next> {
  readonly first: {
    readonly invoiceId: string;
    readonly number: string;
    readonly customerName: string | null;
    readonly amountDue: Money;
    readonly currency: Currency;
    readonly dueDate: string;
    readonly next: Next;
  }[];
  readonly firstCount: number;
  readonly isComplete: boolean;
}

/** Returns the fields of `firstFields`: the invoices for which something is planned, in order of its time. */
export function firstOf<Next>(
  { rows, isComplete }: Awaited<ReturnType<typeof unpaidForPreview>>,
  planFor: (row: InvoiceRow) => { readonly dueDate: string; readonly at: string; readonly next: Next } | null,
): PreviewFields<Next> {
  const planned = rows.flatMap((row) => {
    const plan = planFor(row);
    return plan === null ? [] : [{ row, ...plan }];
  });
  const first = planned
    .toSorted((left, right) => left.at.localeCompare(right.at))
    .slice(0, LISTED_MAX)
    .map(({ row, dueDate, next }) => ({
      invoiceId: row.id,
      number: row.number,
      customerName: row.customer_name,
      amountDue: money(row.amount_minor - row.paid_minor, storedCurrency(row.currency)),
      currency: storedCurrency(row.currency),
      dueDate,
      next,
    }));
  return { first, firstCount: planned.length, isComplete };
}
