import { listOf, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, addDays, type Currency, dateIn, majorUnit, money, storedCurrency } from '#core/kernel';
import type { LateFeeSettings, Merchant } from '#core/processing/merchants';
import { sinceDayOf } from '../daily-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { firstOf, unpaidForPreview } from '../previews.ts';
import { findInvoice } from '../read.ts';
import type { InvoiceRow } from '../schema.ts';
import { factsOf, fixedFeeOf, isStopped } from './facts.ts';
import type { CustomerLateFees, InvoiceLateFees, LateFeePreview } from './records.ts';
import { choicesOf } from './run.ts';
import { nextFees, type PlannedFee } from './schedule.ts';
import { LATE_FEE_EXEMPTIONS, LATE_FEE_RUNS, LATE_FEES } from './schema.ts';

const queries = queriesOn(LATE_FEES, LATE_FEE_EXEMPTIONS);
const LIFE_MAX = 12;
const SAMPLE_DUE_IN_DAYS = 30;
const SAMPLE_MAJOR = 1_000;
const LIST_MAX = 512;

const toPlanned = ({ period, day, amountMinor }: PlannedFee, currency: Currency) => ({ period, day, amount: money(amountMinor, currency) });

/** Returns the late fees of an invoice: charged ones and the next one. @throws ServiceError INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function lateFeesOf(deps: Dependencies, actor: Actor, id: string): Promise<InvoiceLateFees> {
  const { row, merchant } = await findInvoice(deps, actor, id);
  const read = deps.database.read(actor.tenantId);
  const [fees, run, choices, planned] = await Promise.all([
    read.find(LATE_FEES, { invoice_id: id }),
    read.one(LATE_FEE_RUNS, { id: row.merchant_id }),
    choicesOf(read, row),
    deps.invoicesInInstallments(read, [id]),
  ]);
  const isOffFor = (subject: string | null) => choices.some(({ subject_id, is_off }) => subject_id === subject && is_off === 1);
  const currency = storedCurrency(row.currency);
  const today = dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());
  const isOn = merchant.lateFees.enabled && merchant.deletedAt === null && run !== null && run.due_ms !== null;
  const zone = merchant.timezone;
  const isInInstallments = planned.length > 0;
  const facts = isOn ? factsOf(row, { fees, choices, sinceDay: await sinceDayOf(deps, run, zone), zone, isInInstallments }) : null;
  const [next] = facts ? nextFees(facts, merchant.lateFees, fixedFeeOf(merchant), { today, max: 1 }) : [];
  const charged = fees
    .toSorted((left, right) => left.period - right.period)
    .map((fee) => ({
      lateFeeId: fee.id,
      ...toPlanned({ period: fee.period, day: fee.day, amountMinor: fee.amount_minor }, currency),
      chargedAt: fee.created_at,
      reversed: fee.reversed_at === null ? null : { at: fee.reversed_at, by: fee.reversed_by ?? '', reason: fee.reverse_reason ?? '' },
    }));
  return { invoiceId: id, state: stateOf(), isExempt: isOffFor(id), next: next ? toPlanned(next, currency) : null, charged };

  function stateOf(): InvoiceLateFees['state'] {
    if (!isOn) return 'off';
    if (isOffFor(id)) return 'exempt';
    if (isOffFor(row.customer_id)) return 'customer_exempt';
    if (isInInstallments || isStopped(row)) return 'disputed';
    if (next === undefined) return 'done';
    return row.promised_date !== null && row.promised_date >= today ? 'promised' : 'scheduled';
  }
}

/** Returns whether a customer is charged late fees. @throws ServiceError CUSTOMER_NOT_FOUND. */
export async function feesOfCustomer(deps: Dependencies, actor: Actor, customerId: string): Promise<CustomerLateFees> {
  await deps.customers.payer(actor, customerId);
  const choice = await deps.database.read(actor.tenantId).one(LATE_FEE_EXEMPTIONS, { subject_id: customerId });
  return { customerId, enabled: choice?.is_off !== 1 };
}

/** Returns the late fees of one invoice with the given settings, and the unpaid invoices that would be charged first. */
export async function preview(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  change: Partial<LateFeeSettings>,
): Promise<LateFeePreview> {
  const stored = await deps.merchants.merchantFor(actor, merchantId);
  const merchant = { ...stored, lateFees: { ...stored.lateFees, ...change } };
  const { lateFees: settings, currency, timezone: zone } = merchant;
  const read = deps.database.read(actor.tenantId);
  const today = dateIn(zone, deps.clockOf(actor.tenantId).now());
  const dueDate = addDays(today, SAMPLE_DUE_IN_DAYS);
  const amountMinor = SAMPLE_MAJOR * majorUnit(currency);
  const fresh = { feesMinor: 0, lastPeriod: 0, promisedDate: null, sinceDay: today };
  const sample = { ...fresh, dueDate, currency, amountMinor, unpaidMinor: amountMinor };
  const run = await read.one(LATE_FEE_RUNS, { id: merchantId });
  const sinceDay = run !== null && run.due_ms !== null ? await sinceDayOf(deps, run, zone) : today;
  return {
    dueDate,
    invoiceAmount: money(amountMinor, currency),
    currency,
    life: nextFees(sample, settings, fixedFeeOf(merchant), { today, max: LIFE_MAX }).map((fee) => toPlanned(fee, currency)),
    ...(await firstFees(deps, read, merchant, { sinceDay, today })),
  };
}

async function firstFees(
  deps: Dependencies,
  read: Read,
  merchant: Merchant,
  { sinceDay, today }: { readonly sinceDay: string; readonly today: string },
) {
  const unpaid = await unpaidForPreview(read, merchant.merchantId);
  const ids = unpaid.rows.map(({ id }) => id);
  const [fees, choices, planned] = await Promise.all([
    feesOf(read, ids),
    choicesBySubject(read, unpaid.rows),
    inLists(ids, (list) => deps.invoicesInInstallments(read, list)),
  ]);
  const inInstallments = new Set(planned);
  return firstOf(unpaid, (row) => {
    const facts = factsOf(row, {
      fees: fees.get(row.id) ?? [],
      choices: [row.id, row.customer_id ?? ''].flatMap((subject) => choices.get(subject) ?? []),
      sinceDay,
      zone: merchant.timezone,
      isInInstallments: inInstallments.has(row.id),
    });
    const [next] = facts ? nextFees(facts, merchant.lateFees, fixedFeeOf(merchant), { today, max: 1 }) : [];
    return facts && next ? { dueDate: facts.dueDate, at: next.day, next: toPlanned(next, storedCurrency(row.currency)) } : null;
  });
}

/** Runs a query for IDs in lists that the database accepts. */
async function inLists<Row>(ids: readonly string[], find: (list: string[]) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for (let start = 0; start < ids.length; start += LIST_MAX) found.push(...(await find(ids.slice(start, start + LIST_MAX))));
  return found;
}

async function feesOf(read: Read, ids: readonly string[]) {
  const fees = await inLists(ids, (list) =>
    read.rows(queries.selectFrom('late_fees').selectAll().where('tenant_id', '=', TENANT).where('invoice_id', 'in', listOf(list))),
  );
  return Map.groupBy(fees, ({ invoice_id: id }) => id);
}

async function choicesBySubject(read: Read, rows: readonly InvoiceRow[]) {
  const choices = await inLists(
    rows.flatMap(({ id, customer_id: customerId }) => (customerId === null ? [id] : [id, customerId])),
    (ids) =>
      read.rows(
        queries.selectFrom('late_fee_exemptions').selectAll().where('tenant_id', '=', TENANT).where('subject_id', 'in', listOf(ids)),
      ),
  );
  return new Map(choices.map((choice) => [choice.subject_id, choice]));
}
