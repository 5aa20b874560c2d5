import type { ReconciliationDay } from '#core/books/reconciliation';
import type { Read } from '#core/database';
import { type Actor, type Caller, type Currency, dateIn, isoTime, money, newId, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from '../dependencies.ts';
import { lastExpectedDay } from '../matching/business-days.ts';
import { suggestedPayouts } from '../matching/stored-suggestions.ts';
import { coveredDays } from '../payouts.ts';
import type { Blocker, CloseDay, CloseFigure, FigureName, PeriodClose, SideState } from '../records.ts';
import { BANK_ACCOUNTS, PERIOD_CLOSES, type PeriodCloseRow } from '../schema.ts';
import {
  type ClosedPeriod,
  carriedInside,
  carriersOf,
  type MinorAdjustment,
  pendingAdjustments,
  readClosed,
  type Stored,
  withoutCarried,
} from './adjustments.ts';
import { type CurrencyFigures, type DailySums, figuresOf, readSums, type UncoveredPayout, uncoveredPayouts } from './figures.ts';
import { closedPeriodOf } from './locks.ts';
import { daysOf, type Period, parsePeriod } from './period.ts';

const REASON_MAX = 500;

/** Present figures and states of a period. */
interface Present {
  readonly figures: readonly CurrencyFigures[];
  readonly days: readonly CloseDay[];
  readonly blockers: readonly Blocker[];
  readonly hasBankAccount: boolean;
  /** True if the period, or the month of a day, is closed. */
  readonly isClosed: boolean;
}

/** Returns the present month of a merchant, in its time zone, as `YYYY-MM`. */
export async function presentMonth(deps: Dependencies, actor: Caller, merchantId?: string): Promise<string> {
  const { timezone } = await deps.merchantFor(actor, merchantId);
  return dateIn(timezone, deps.clockOf(actor.tenantId).now()).slice(0, 'YYYY-MM'.length);
}

/** Returns the close of a period: as it was stored if it is closed, otherwise as it is at present. */
export async function getClose(
  deps: Dependencies,
  actor: Caller,
  input: { readonly period: string; readonly field: string; readonly merchantId?: string },
): Promise<PeriodClose> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const period = parsePeriod(input.period, input.field);
  const read = deps.database.read(actor.tenantId).heavy;
  const compared = await deps.reconciledDays(actor, { month: period.first.slice(0, 7), merchantId: merchant.merchantId });
  const closed = await readClosed(read, merchant.merchantId);
  const present = await presentOf(deps, read, merchant, period, closed, compared);
  const rows = await read.find(
    PERIOD_CLOSES,
    { merchant_id: merchant.merchantId, period: period.name },
    { orderBy: [['id', 'desc']], limit: 50 },
  );
  const stored = closed.find(({ name }) => name === period.name);
  const pending = stored ? (stored.adjustments ?? []) : await pendingAdjustments(read, merchant.merchantId, closed, period);
  const adjustments = [...carriedInside(closed, period), ...pending];
  return toClose(merchant, period, present, stored?.figures ?? present.figures, adjustments, rows);
}

async function presentOf(
  deps: Dependencies,
  read: Read,
  merchant: Merchant,
  period: Period,
  closed: readonly ClosedPeriod[],
  daysOfMonth: readonly ReconciliationDay[],
): Promise<Present> {
  const { merchantId } = merchant;
  const compared = daysOfMonth.filter(({ date }) => date >= period.first && date <= period.last);
  const sums = await readSums(read, merchantId, period);
  const figures = withoutCarried(figuresOf(sums, period), closed, period);
  const closedNames = new Set(closed.map(({ name }) => name));
  const accounts = await read.find(BANK_ACCOUNTS, { merchant_id: merchantId, removed_at: null });
  const settlingFrom = await deps.settlingFrom(read, merchant);
  const today = dateIn(merchant.timezone, deps.clockOf(read.tenantId as string).now());
  const payouts = await locatePayouts(read, merchantId, sums, new Set(accounts.map(({ currency }) => currency)), today);
  const payoutsByDay = Map.groupBy(payouts, ({ day }) => day);
  const days = daysOf(period).map((date): CloseDay => {
    const day = compared.find((each) => each.date === date);
    const ofDay = [...(sums.get(date)?.values() ?? [])];
    const own = payoutsByDay.get(date) ?? [];
    return {
      date,
      processor: !day || day.state === 'unsettled' ? 'none' : day.compared ? day.state : 'open',
      payouts: own.some(({ at }) => at === 'missing' || at === 'unknown')
        ? 'open'
        : own.some(({ at }) => at === 'transit')
          ? 'transit'
          : ofDay.some((each) => each.payouts > 0)
            ? 'balanced'
            : 'none',
      bank: ofDay.some(({ openLineCount }) => openLineCount > 0)
        ? 'open'
        : ofDay.some(({ lineCount }) => lineCount > 0)
          ? 'balanced'
          : 'none',
      closed: closedPeriodOf(closedNames, date) !== null,
    };
  });
  const counts: Record<Blocker['kind'], number> = {
    not_over: period.last >= today ? 1 : 0,
    settling: settlingFrom !== null && settlingFrom <= period.last ? 1 : 0,
    not_compared: compared.filter((day) => !day.compared && day.state === 'open').length,
    discrepancies: compared.reduce((sum, { openCount }) => sum + openCount, 0),
    missing_payouts: payouts.filter(({ at }) => at === 'missing').length,
    statement_missing: payouts.filter(({ at }) => at === 'unknown').length,
    open_lines: [...sums.values()].flatMap((ofDay) => [...ofDay.values()]).reduce((sum, { openLineCount }) => sum + openLineCount, 0),
  };
  const blockers = Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind: kind as Blocker['kind'], count }] : []));
  const isClosed = closedNames.has(period.name) || closedNames.has(period.first.slice(0, 7));
  return { figures, days, blockers, hasBankAccount: accounts.length > 0, isClosed };
}

/** An uncovered payout: before the first statement, on its way, missing from a statement that covers its days, or beyond the last statement. */
interface LocatedPayout extends UncoveredPayout {
  readonly at: 'arrived' | 'transit' | 'missing' | 'unknown';
}

/** Returns the uncovered payouts of the currencies that a bank account of the merchant has. */
async function locatePayouts(
  read: Read,
  merchantId: string,
  sums: DailySums,
  currencies: ReadonlySet<string>,
  today: string,
): Promise<LocatedPayout[]> {
  const uncovered = await uncoveredPayouts(read, merchantId, sums, currencies);
  if (uncovered.length === 0) return [];
  const suggested = await suggestedPayouts(
    read,
    uncovered.map(({ payoutId }) => payoutId),
  );
  const coveredByCurrency = new Map<string, { first: string; last: string } | null>();
  for (const currency of new Set(uncovered.map((payout) => payout.currency)))
    coveredByCurrency.set(currency, await coveredDays(read, merchantId, currency));
  return uncovered.map((payout) => {
    const covered = coveredByCurrency.get(payout.currency);
    if (covered && payout.day < covered.first) return { ...payout, at: 'arrived' };
    // The open line of a suggested payout is counted itself.
    if (suggested.has(payout.payoutId)) return { ...payout, at: 'transit' };
    const expected = lastExpectedDay(payout.day, payout.currency);
    if (covered && covered.last > expected) return { ...payout, at: 'missing' };
    return { ...payout, at: today > expected ? 'unknown' : 'transit' };
  });
}

function toClose(
  merchant: Merchant,
  period: Period,
  present: Present,
  figures: readonly CurrencyFigures[],
  adjustments: readonly MinorAdjustment[],
  rows: readonly PeriodCloseRow[],
): PeriodClose {
  const blocked = new Set(present.blockers.map(({ kind }) => kind));
  const stateOf = (name: FigureName, difference: number): SideState => {
    if (name === 'sales' && (blocked.has('discrepancies') || blocked.has('not_compared'))) return 'open';
    if (name === 'payouts' && (blocked.has('missing_payouts') || blocked.has('statement_missing'))) return 'open';
    if (name === 'bank' && blocked.has('open_lines')) return 'open';
    if (difference === 0) return 'balanced';
    return name === 'payouts' ? 'transit' : 'explained';
  };
  return {
    period: period.name,
    startDate: period.first,
    endDate: period.last,
    merchantId: merchant.merchantId,
    closed: present.isClosed,
    hasBankAccount: present.hasBankAccount,
    figures: figures.flatMap(({ currency, figures: own }) =>
      own
        .filter(({ name }) => name !== 'bank' || present.hasBankAccount)
        .map((figure): CloseFigure => {
          const amount = (minor: number | null) => (minor === null ? null : money(minor, currency as Currency));
          const bank = present.hasBankAccount ? figure.bank : null;
          const difference = figure.name === 'payouts' && bank === null ? 0 : figure.difference;
          return {
            name: figure.name,
            currency: currency as Currency,
            ledger: amount(figure.ledger),
            processor: amount(figure.processor),
            bank: amount(bank),
            difference: money(difference, currency as Currency),
            state: stateOf(figure.name, difference),
          };
        }),
    ),
    unrelated: figures.flatMap(({ currency, unrelated }) =>
      unrelated === 0 ? [] : [{ currency: currency as Currency, amount: money(unrelated, currency as Currency) }],
    ),
    adjustments: adjustments.map(({ period: source, name, side, currency, minor }) => ({
      period: source,
      name,
      side,
      currency: currency as Currency,
      amount: money(minor, currency as Currency),
    })),
    blockers: present.isClosed ? [] : present.blockers,
    days: present.days,
    history: rows.map((row) => ({
      state: row.state,
      closedAt: row.closed_at,
      closedBy: row.closed_by,
      reopenedAt: row.reopened_at,
      reopenedBy: row.reopened_by,
      reason: row.reason,
    })),
  };
}

/**
 * Closes a day or month: stores its figures and locks its bank lines and journal entries. Changes of earlier closed periods that count in it are
 * stored with it, so that each is carried once. @throws ServiceError RESOURCE_CONFLICT if it is closed already, or with
 * `details.blockers` while something is open.
 */
export async function closePeriod(
  deps: Dependencies,
  actor: Actor,
  input: { readonly period: string; readonly merchantId?: string },
): Promise<PeriodClose> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const { merchantId } = merchant;
  const period = parsePeriod(input.period, 'date');
  const month = period.first.slice(0, 7);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const closed = await readClosed(work, merchantId);
    const compared = await deps.comparedDays(work, { month, merchantId });
    const { figures, blockers, isClosed } = await presentOf(deps, work, merchant, period, closed, compared);
    if (isClosed)
      throw new ServiceError('RESOURCE_CONFLICT', `The period ${period.name} is already closed.`, { details: { period: period.name } });
    if (blockers.length > 0)
      throw new ServiceError('RESOURCE_CONFLICT', 'The period cannot be closed while something in it is open.', { details: { blockers } });
    const adjustments = await pendingAdjustments(work, merchantId, closed, period);
    const now = deps.clockOf(actor.tenantId).now();
    const row: PeriodCloseRow = {
      tenant_id: actor.tenantId,
      id: newId('pcl', now),
      merchant_id: merchantId,
      period: period.name,
      state: 'closed',
      figures: JSON.stringify({ figures, adjustments } satisfies Stored),
      closed_at: isoTime(now),
      closed_by: actor.name,
      reopened_at: null,
      reopened_by: null,
      reason: null,
    };
    work.insert(PERIOD_CLOSES, row);
    deps.audit(work, {
      actor,
      action: 'period.closed',
      resource: `settlement/close/${period.name}`,
      merchantId,
      after: { period: period.name, figures, adjustments },
    });
    await deps.events.publish(work, 'period.closed', { merchantId, period: period.name });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
  });
  return getClose(deps, actor, { ...input, field: 'date' });
}

/**
 * Reopens a closed day or month with a reason. Its figures at the close stay on record. @throws ServiceError RESOURCE_CONFLICT if it is not closed,
 * if it is a day of a closed month, or if a later closed period carries an adjustment of it.
 */
export async function reopenPeriod(
  deps: Dependencies,
  actor: Actor,
  input: { readonly period: string; readonly reason: string; readonly merchantId?: string },
): Promise<PeriodClose> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const { merchantId } = merchant;
  const period = parsePeriod(input.period, 'date');
  const reason = input.reason.trim();
  if (reason === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`reason` is required.', { field: 'reason' });
  if (reason.length > REASON_MAX)
    throw new ServiceError('VALIDATION_ERROR', `\`reason\` must have at most ${REASON_MAX} characters.`, { field: 'reason' });
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const month = period.first.slice(0, 7);
    const closed = await readClosed(work, merchantId);
    const isClosed = (name: string) => closed.some((each) => each.name === name);
    if (period.name !== month && isClosed(month))
      throw new ServiceError('RESOURCE_CONFLICT', `The month ${month} is closed. Reopen the month first.`, { details: { period: month } });
    const [carrier] = isClosed(period.name) ? carriersOf(closed, period) : [];
    if (carrier !== undefined)
      throw new ServiceError('RESOURCE_CONFLICT', `The period ${carrier} carries an adjustment of ${period.name}. Reopen it first.`, {
        details: { period: carrier },
      });
    const at = isoTime(deps.clockOf(actor.tenantId).now());
    const set = { state: 'reopened', reopened_at: at, reopened_by: actor.name, reason } as const;
    const reopened = await work.update(PERIOD_CLOSES, { merchant_id: merchantId, period: period.name, state: 'closed' }, set);
    if (reopened === 0)
      throw new ServiceError('RESOURCE_CONFLICT', `The period ${period.name} is not closed.`, { details: { period: period.name } });
    deps.audit(work, {
      actor,
      action: 'period.reopened',
      resource: `settlement/close/${period.name}`,
      merchantId,
      before: { state: 'closed' },
      after: { state: 'reopened', reason },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
  });
  return getClose(deps, actor, { ...input, field: 'date' });
}
