import { READABLE_INVOICES } from '#core/billing/invoicing';
import { READABLE_PAYOUTS } from '#core/books/settlement';
import { listOf, queriesOn, type Read, TENANT } from '#core/database';
import { type Currency, money } from '#core/kernel';
import { READABLE_SHIFTS } from '#core/sales/shifts';
import { READABLE_TENDER_REFUNDS, READABLE_TENDERS, tenderNumber } from '#core/sales/tenders';
import type { Reader } from './dependencies.ts';
import type { NamedDeposit, NamedInvoice, NamedPayout } from './records.ts';

const LIST_MAX = 512;
const queries = queriesOn(READABLE_PAYOUTS, READABLE_INVOICES, READABLE_SHIFTS, READABLE_TENDERS, READABLE_TENDER_REFUNDS);

/** Records that lines name, by their IDs. Callers without the permission for invoices see none. */
export interface NamedRecords {
  readonly payouts: ReadonlyMap<string, NamedPayout>;
  readonly invoices: ReadonlyMap<string, NamedInvoice>;
  readonly deposits: ReadonlyMap<string, NamedDeposit>;
}

interface Ids {
  readonly payouts: Iterable<string | null | undefined>;
  readonly invoices: Iterable<string | null | undefined>;
  readonly shifts: Iterable<string | null | undefined>;
  readonly tenders: Iterable<string | null | undefined>;
  readonly refunds: Iterable<string | null | undefined>;
}

/** Calls a function with the IDs in lists for `in` conditions. */
async function inLists<Row>(
  ids: Iterable<string | null | undefined>,
  readRows: (list: string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string');
  const found: Row[] = [];
  for (let from = 0; from < wanted.length; from += LIST_MAX) found.push(...(await readRows(listOf(wanted.slice(from, from + LIST_MAX)))));
  return found;
}

/** Reads the records of suggestions and matches. */
export async function namedRecords(read: Read, { permissions }: Pick<Reader, 'permissions'>, ids: Ids): Promise<NamedRecords> {
  const payouts = await inLists(ids.payouts, (list) =>
    read.rows(
      queries
        .selectFrom('payouts')
        .select(['id', 'reference', 'amount_minor', 'currency', 'paid_at'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', list),
    ),
  );
  const invoices = await inLists(permissions.has('invoices:read') ? ids.invoices : [], (list) =>
    read.rows(
      queries
        .selectFrom('invoices')
        .select(['id', 'number', 'customer_name', 'customer_company', 'due_date', 'amount_minor', 'paid_minor', 'currency'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', list),
    ),
  );
  const shifts = await inLists(ids.shifts, (list) =>
    read.rows(
      queries
        .selectFrom('shifts')
        .select(['id', 'drawer', 'z_number', 'closed_day', 'counted_minor', 'currency'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', list),
    ),
  );
  const tenders = await inLists(ids.tenders, (list) =>
    read.rows(
      queries
        .selectFrom('tenders')
        .select(['id', 'number', 'kind', 'check_number', 'day', 'amount_minor', 'currency'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', list),
    ),
  );
  const refunds = await inLists(ids.refunds, (list) =>
    read.rows(
      queries
        .selectFrom('tender_refunds')
        .select(['id', 'number', 'day', 'amount_minor', 'currency'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', list),
    ),
  );
  return {
    payouts: new Map(
      payouts.map((row) => [
        row.id,
        {
          payoutId: row.id,
          reference: row.reference,
          amount: money(Number(row.amount_minor), row.currency as Currency),
          paidAt: row.paid_at,
        },
      ]),
    ),
    invoices: new Map(
      invoices.map((row) => [
        row.id,
        {
          invoiceId: row.id,
          number: row.number,
          customerName: row.customer_company ?? row.customer_name,
          dueDate: row.due_date,
          amount: money(row.amount_minor, row.currency as Currency),
          amountDue: money(row.amount_minor - row.paid_minor, row.currency as Currency),
        },
      ]),
    ),
    deposits: new Map<string, NamedDeposit>([
      ...shifts.map((row): [string, NamedDeposit] => [
        row.id,
        {
          kind: 'cash',
          shiftId: row.id,
          tenderId: null,
          refundId: null,
          label: row.z_number === null ? row.drawer : `${row.drawer}, Z ${row.z_number}`,
          day: row.closed_day ?? '',
          amount: money(Number(row.counted_minor ?? 0), row.currency as Currency),
        },
      ]),
      ...tenders.map((row): [string, NamedDeposit] => [
        row.id,
        {
          kind: row.kind === 'cash' ? 'cash' : 'check',
          shiftId: null,
          tenderId: row.id,
          refundId: null,
          label: row.check_number ?? tenderNumber(row.number),
          day: row.day,
          amount: money(row.amount_minor, row.currency as Currency),
        },
      ]),
      ...refunds.map((row): [string, NamedDeposit] => [
        row.id,
        {
          kind: 'refund',
          shiftId: null,
          tenderId: null,
          refundId: row.id,
          label: tenderNumber(row.number),
          day: row.day,
          amount: money(row.amount_minor, row.currency as Currency),
        },
      ]),
    ]),
  };
}
