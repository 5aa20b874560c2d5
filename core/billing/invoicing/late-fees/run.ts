import type { Read, Work } from '#core/database';
import { dateIn, isoTime, type Money, money, newId, serviceActor, storedCurrency, timeAfter } from '#core/kernel';
import { formatDay } from '#core/platform/documents';
import type { Language } from '#shared/languages';
import { writeInvoice } from '../change.ts';
import type { DailyRun, Run } from '../daily-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditInvoice, emitLateFee } from '../events.ts';
import { withFeeLine } from '../items.ts';
import type { InvoiceRow } from '../schema.ts';
import { factsOf, fixedFeeOf } from './facts.ts';
import { feeAmount, firstDueDate, lastDueDate, nextRun, periodOn } from './schedule.ts';
import { LATE_FEE_EXEMPTIONS, LATE_FEE_RUNS, LATE_FEES, type LateFeeExemptionRow, type LateFeeRow, type LateFeeRunRow } from './schema.ts';

const LINES: Readonly<Record<Language, (day: string) => string>> = {
  en: (day) => `Late fee, ${day}`,
  es: (day) => `Recargo por mora, ${day}`,
};

/** Charges the late fees of a merchant once a day. Nobody can pay a closed merchant, so the fees of that time are not charged after it opens again. */
export const lateFeesRun = (deps: Dependencies): DailyRun<LateFeeRunRow> => ({
  job: 'invoicing.late-fees',
  table: LATE_FEE_RUNS,
  result: 'charged',
  nextRun: (_row, zone, nowMs) => nextRun(zone, nowMs),
  dayAt: (_row, { timezone }, nowMs) => dateIn(timezone, nowMs),
  dueDatesOn: ({ lateFees }, day) => ({ from: firstDueDate(day, lateFees), to: lastDueDate(day, lateFees) }),
  skipsClosedDays: true,
  prepare: async (run) => (work, row) => charge(deps, work, run, row),
});

/** Charges the fee of an invoice that is due now. The fee is stored in the commit of its line. */
async function charge(deps: Dependencies, work: Work, { merchant, sinceDay }: Run, row: InvoiceRow): Promise<boolean> {
  const { tenant_id: tenantId, id: invoiceId } = row;
  const choices = await choicesOf(work, row);
  const fees = await work.find(LATE_FEES, { invoice_id: invoiceId });
  const isInInstallments = (await deps.invoicesInInstallments(work, [invoiceId])).length > 0;
  const facts = factsOf(row, { fees, choices, sinceDay, zone: merchant.timezone, isInInstallments });
  const clockMs = deps.clockOf(tenantId).now();
  // A change before the clock was corrected can be later than the present day.
  const day = dateIn(merchant.timezone, clockMs);
  const now = timeAfter(clockMs, row.updated_at);
  const due = facts && periodOn(facts, merchant.lateFees, day);
  const amountMinor = facts && due ? feeAmount(facts, merchant.lateFees, fixedFeeOf(merchant)) : 0;
  if (!due || amountMinor === 0) return false;
  const fee: LateFeeRow = {
    tenant_id: tenantId,
    invoice_id: invoiceId,
    period: due.period,
    id: newId('lfe', now),
    day,
    currency: row.currency,
    amount_minor: amountMinor,
    description: LINES[merchant.language](formatDay(day, merchant.language)),
    created_at: isoTime(now),
    reversed_at: null,
    reversed_by: null,
    reverse_reason: null,
  };
  work.insert(LATE_FEES, fee);
  const set = {
    amount_minor: row.amount_minor + amountMinor,
    late_fee_minor: row.late_fee_minor + amountMinor,
    items: withFeeLine(row, fee),
  };
  const next = await writeInvoice(deps, work, row, set, merchant, now);
  auditInvoice(deps, work, serviceActor(tenantId), 'late_fee_charged', row, next, { lateFeeId: fee.id, period: due.period });
  emitLateFee(deps, work, 'invoice.late_fee_charged', next, feeData(fee), now);
  return true;
}

/** Returns the fields of a fee for its events. */
export const feeData = ({ id, period, amount_minor: minor, currency, reverse_reason: reason }: LateFeeRow) => ({
  lateFeeId: id,
  period,
  amount: money(minor, storedCurrency(currency)) as Money,
  reason,
});

/** Returns the choices for an invoice and its customer. */
export async function choicesOf(
  read: Pick<Read, 'one'>,
  { id, customer_id: customerId }: Pick<InvoiceRow, 'id' | 'customer_id'>,
): Promise<LateFeeExemptionRow[]> {
  const subjects = customerId === null ? [id] : [id, customerId];
  const rows = await Promise.all(subjects.map((subject) => read.one(LATE_FEE_EXEMPTIONS, { subject_id: subject })));
  return rows.filter((row) => row !== null);
}
