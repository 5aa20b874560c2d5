import { READABLE_INVOICE_NUMBERS, READABLE_INVOICES } from '#core/billing/invoicing';
import { lit, queriesOn, TENANT } from '#core/database';
import { addDays, idFloor } from '#core/kernel';
import { READABLE_SHIFTS } from '#core/sales/shifts';
import { READABLE_TENDER_REFUNDS, READABLE_TENDERS, tenderNumber } from '#core/sales/tenders';
import type { Dependencies } from '../dependencies.ts';
import { BANK_DEPOSITS, BANK_MATCHES, type BankAccountRow } from '../schema.ts';
import type { OpenDeposit, PaidBack } from './deposits.ts';
import { remainingCash } from './received-cash.ts';
import { type UnpaidInvoices, unpaidInvoices } from './unpaid-invoices.ts';

type Owner = Pick<BankAccountRow, 'tenant_id' | 'merchant_id' | 'currency'>;

const queries = queriesOn(
  READABLE_INVOICES,
  READABLE_INVOICE_NUMBERS,
  READABLE_SHIFTS,
  READABLE_TENDERS,
  READABLE_TENDER_REFUNDS,
  BANK_DEPOSITS,
  BANK_MATCHES,
);
/** Days before the first open line from which its cash and checks are. */
const LOOK_BACK_DAYS = 31;
/** Days before the first open line from which returned checks and refunds are. Banks return most checks within weeks. */
const RETURNED_DAYS = 92;
/** Newest deposits of a merchant that are read. */
const DEPOSITS_MAX = 2_000;

/** Reads the invoices and deposits of the merchant of an account that may explain lines. */
export async function receivablesFor(
  deps: Dependencies,
  account: BankAccountRow,
  firstDay: string,
): Promise<{
  readonly unpaid: UnpaidInvoices;
  readonly lastNumber: number;
  readonly deposits: OpenDeposit[];
  readonly returned: PaidBack[];
}> {
  const numbers = queries
    .selectFrom('invoice_numbers')
    .select('last')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', account.merchant_id);
  return {
    lastNumber: Number((await deps.database.read(account.tenant_id).row(numbers))?.last ?? 0),
    unpaid: await unpaidInvoices(deps.database.read(account.tenant_id), account),
    deposits: await openDeposits(deps, account, addDays(firstDay, -LOOK_BACK_DAYS)),
    returned: await paidBack(deps, account, addDays(firstDay, -RETURNED_DAYS)),
  };
}

/** Returns the cash of closed shifts and of payments without a shift, and the checks from a day on that bank lines do not contain as a whole, in order of their days. */
export async function openDeposits(deps: Pick<Dependencies, 'database'>, owner: Owner, fromDay: string): Promise<OpenDeposit[]> {
  const { tenant_id, merchant_id, currency } = owner;
  const read = deps.database.read(tenant_id);
  const shifts = await read.rows(
    queries
      .selectFrom('shifts as s')
      .leftJoin('bank_deposits as d', (join) => join.on('d.tenant_id', '=', TENANT).onRef('d.subject_id', '=', 's.id'))
      .select(({ fn }) => [
        's.id',
        's.closed_day as day',
        's.counted_minor as total',
        's.float_minor as kept',
        fn.coalesce('d.matched_minor', lit(0)).as('matched'),
      ])
      .where('s.tenant_id', '=', TENANT)
      .where('s.merchant_id', '=', merchant_id)
      .where('s.closed_day', '>=', fromDay)
      .where('s.currency', '=', currency)
      .orderBy('s.closed_day', 'desc')
      .limit(DEPOSITS_MAX),
  );
  const checks = await read.rows(checksFrom(owner, fromDay).where('t.returned_at', 'is', null));
  const received = await read.rows(cashFrom(owner, fromDay));
  const remaining = await remainingCash(read, received);
  const cash = received.map((row) => ({ ...row, total: remaining.get(row.id) ?? 0 }));
  const toDeposit =
    (kind: OpenDeposit['kind'], isShift = false) =>
    (row: { id: string; day: string | null; total: number | null; kept?: number; matched: number }) => ({
      kind,
      isShift,
      id: row.id,
      day: row.day ?? fromDay,
      minor: Number(row.total ?? 0) - Number(row.matched),
      kept: Number(row.kept ?? 0),
    });
  return [...shifts.map(toDeposit('cash', true)), ...cash.map(toDeposit('cash')), ...checks.map(toDeposit('check'))]
    .filter(({ minor }) => minor > 0)
    .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.id < other.id ? -1 : 1));
}

/** Selects the newest payments in cash without a shift from a day on with the part that bank lines contain. */
const cashFrom = ({ merchant_id, currency }: Owner, fromDay: string) =>
  queries
    .selectFrom('tenders as t')
    .leftJoin('bank_deposits as d', (join) => join.on('d.tenant_id', '=', TENANT).onRef('d.subject_id', '=', 't.id'))
    .select(({ fn }) => [
      't.id',
      't.day',
      't.amount_minor',
      't.rounding_minor',
      't.refunded_minor',
      fn.coalesce('d.matched_minor', lit(0)).as('matched'),
    ])
    .where('t.tenant_id', '=', TENANT)
    .where('t.kind', '=', lit('cash'))
    .where('t.shift_id', 'is', null)
    .where('t.merchant_id', '=', merchant_id)
    .where('t.currency', '=', currency)
    .where('t.id', '>=', idFloor('tnd', Date.parse(`${fromDay}T00:00:00Z`)))
    .orderBy('t.id', 'desc')
    .limit(DEPOSITS_MAX);

/** Selects the newest checks from a day on with the part that bank lines contain. */
const checksFrom = ({ merchant_id, currency }: Owner, fromDay: string) =>
  queries
    .selectFrom('tenders as t')
    .leftJoin('bank_deposits as d', (join) => join.on('d.tenant_id', '=', TENANT).onRef('d.subject_id', '=', 't.id'))
    .select(({ fn }) => [
      't.id',
      't.check_number',
      't.day',
      't.amount_minor as total',
      fn.coalesce('d.matched_minor', lit(0)).as('matched'),
    ])
    .where('t.tenant_id', '=', TENANT)
    .where('t.kind', '=', lit('check'))
    .where('t.merchant_id', '=', merchant_id)
    .where('t.currency', '=', currency)
    .where('t.id', '>=', idFloor('tnd', Date.parse(`${fromDay}T00:00:00Z`)))
    .orderBy('t.id', 'desc')
    .limit(DEPOSITS_MAX);

/**
 * Returns the returned checks from a day on that bank lines contain as deposits, and the refunds of bank transfers that they do not contain as a whole,
 * oldest first.
 */
export async function paidBack(deps: Pick<Dependencies, 'database'>, owner: Owner, fromDay: string): Promise<PaidBack[]> {
  const read = deps.database.read(owner.tenant_id);
  const checks = await read.rows(checksFrom(owner, fromDay).where('t.returned_at', 'is not', null).where('d.matched_minor', '>', 0));
  const refunds = await read.rows(
    queries
      .selectFrom('tender_refunds as r')
      .innerJoin('bank_matches as m', (join) => join.on('m.tenant_id', '=', TENANT).onRef('m.tender_id', '=', 'r.tender_id'))
      .innerJoin('invoices as i', (join) => join.on('i.tenant_id', '=', TENANT).onRef('i.id', '=', 'm.invoice_id'))
      .leftJoin('bank_deposits as d', (join) => join.on('d.tenant_id', '=', TENANT).onRef('d.subject_id', '=', 'r.id'))
      .select(({ fn }) => [
        'r.id',
        'r.number',
        'r.day',
        'r.amount_minor as total',
        'i.number as invoice',
        'i.customer_name as name',
        'i.customer_company as company',
        fn.coalesce('d.matched_minor', lit(0)).as('matched'),
      ])
      .where('r.tenant_id', '=', TENANT)
      .where('r.merchant_id', '=', owner.merchant_id)
      .where('r.id', '>=', idFloor('trf', Date.parse(`${fromDay}T00:00:00Z`)))
      .where('r.currency', '=', owner.currency)
      .where('r.is_return', '=', lit(0))
      .where('r.gift_card_id', 'is', null)
      .where('m.kind', '=', lit('invoice'))
      .where('m.state', '=', lit('posted'))
      .orderBy('r.id', 'desc')
      .limit(DEPOSITS_MAX),
  );
  const found: PaidBack[] = [
    ...checks.map(({ id, check_number, day, matched }) => ({
      kind: 'check' as const,
      id,
      day,
      minor: Number(matched),
      numbers: [/^\d+$/.test(check_number ?? '') ? (check_number as string) : ''],
      names: [],
    })),
    ...refunds.map(({ id, number, day, total, matched, invoice, name, company }) => ({
      kind: 'refund' as const,
      id,
      day,
      minor: Number(total) - Number(matched),
      numbers: [tenderNumber(number), invoice],
      names: [name, company].filter((each) => each !== null),
    })),
  ];
  return found
    .filter(({ minor }) => minor > 0)
    .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.id < other.id ? -1 : 1));
}
