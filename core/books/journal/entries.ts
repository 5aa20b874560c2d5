import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { closedPeriods, firstOpenDay, parsePeriod } from '#core/books/bank';
import { lit, queriesOn, type Read, sql, TENANT, type Work } from '#core/database';
import { addDays, type Currency, type Money, money } from '#core/kernel';
import { BANK_TRANSFER_KINDS, READABLE_TRANSFERS, type TransferKind } from '#core/records/ledger';
import { BOOK_ENTRIES } from './accounts.ts';
import type { BookAccount } from './records.ts';
import { JOURNAL_ENTRIES, JOURNAL_EXPORTS, type JournalEntryRow, type JournalExportRow } from './schema.ts';

const queries = queriesOn(READABLE_TRANSFERS, JOURNAL_ENTRIES, JOURNAL_EXPORTS);
/** Export of entries that were recorded, for example at the close of their period, and not exported since. */
const NOT_EXPORTED = '';

/** Movements that are entries of their own; all others are summed by day. */
const SINGLE_KINDS: readonly TransferKind[] = ['payout', ...BANK_TRANSFER_KINDS];
const KINDS = Object.entries(BOOK_ENTRIES).flatMap(([kind, entry]) => (entry === null ? [] : [kind as TransferKind]));

/** An entry of the exported journal. It has one debit and one credit of the same amount, so it balances. */
export interface JournalEntry {
  /** Equal in every export of the entry: a program that knows the ID has the entry. */
  readonly id: string;
  readonly date: string;
  readonly kind: TransferKind;
  /** Payout or bank line; null for the sum of a day. */
  readonly subject: string | null;
  readonly debit: BookAccount;
  readonly credit: BookAccount;
  /** Above zero. */
  readonly amount: Money;
  /** `new`: first in this export. `changed`: first in this export, and corrects an exported one. `exported`: part of an earlier export. */
  readonly status: 'new' | 'changed' | 'exported';
  /** Day of the movements, if the entry is booked on another day because their period is closed. */
  readonly adjusts: string | null;
}

/** A range of days, both inclusive. */
export interface Range {
  readonly first: string;
  readonly last: string;
}

/** Sum of movements that make one entry. */
interface Sum {
  readonly currency: string;
  readonly day: string;
  readonly kind: TransferKind;
  readonly subject: string;
  readonly minor: number;
}

/**
 * Records the entries of a range of booked days, and marks those that no export contained as part of this one. Movements that were posted since the last
 * export become entries of their own. The caller has locked the merchant.
 */
export async function claimEntries(
  work: Work,
  merchantId: string,
  range: Range,
  { id, currency }: { readonly id: string; readonly currency: string | undefined },
): Promise<void> {
  const { first, last } = range;
  const closed = await closedPeriods(work, merchantId);
  // What was posted before a close is recorded at the close, so the rest of a closed day is later than it.
  const bookedDay = (day: string) => firstOpenDay(closed, day);
  for (const days of [range, ...closedBefore(closed, first, last)]) await recordChanges(work, merchantId, days, bookedDay);
  // An entry that is booked after the range remains unmarked until the export of its day.
  let entries = queries
    .updateTable('journal_entries')
    .set({ export_id: id })
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('booked_day', '>=', first)
    .where('booked_day', '<=', last)
    .where('export_id', '=', lit(NOT_EXPORTED));
  if (currency !== undefined) entries = entries.where('currency', '=', currency);
  await work.execute(entries);
}

interface EntryCounts {
  readonly currency: string;
  readonly all: number;
  readonly new: number;
}

/** Returns the numbers of all entries and of new entries of each currency in the range of an export that has just claimed its entries. */
export async function countEntries(work: Work, merchantId: string, { first, last }: Range, exportId: string): Promise<EntryCounts[]> {
  const rows = await work.rows(
    queries
      .selectFrom('journal_entries')
      .select(({ fn, eb }) => [
        'currency',
        fn.countAll<number>().as('all'),
        fn.sum<number | null>(eb.case().when('export_id', '=', exportId).then(lit(1)).else(lit(0)).end()).as('new'),
      ])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('booked_day', '>=', first)
      .where('booked_day', '<=', last)
      .groupBy('currency'),
  );
  return rows.map((row) => ({ currency: row.currency, all: Number(row.all), new: Number(row.new ?? 0) }));
}

/**
 * Records the journal of a period in the unit of work that closes it. Movements that are posted to its days later become entries of an open day,
 * also if the period was never exported.
 */
export async function recordPeriod(
  work: Work,
  { merchantId, period }: { readonly merchantId: string; readonly period: string },
): Promise<void> {
  // Days of a month that were closed before it keep their entries.
  const before = new Set(await closedPeriods(work, merchantId));
  before.delete(period);
  await recordChanges(work, merchantId, parsePeriod(period, 'period'), (day) => firstOpenDay(before, day));
}

/** Adds entries for the difference between the ledger and the recorded entries of a range of days. */
async function recordChanges(work: Work, merchantId: string, range: Range, bookedDay: (day: string) => string): Promise<void> {
  const recorded = await recordedSums(work, merchantId, range);
  for (const { minor, ...sum } of await ledgerSums(work, merchantId, range)) {
    const known = recorded.get(keyOf(sum));
    const change = minor - (known?.minor ?? 0);
    if (change === 0) continue;
    work.insert(JOURNAL_ENTRIES, {
      tenant_id: work.tenantId as string,
      merchant_id: merchantId,
      ...sum,
      revision: (known?.revision ?? 0) + 1,
      booked_day: bookedDay(sum.day),
      amount_minor: change,
      export_id: NOT_EXPORTED,
    });
  }
}

/** Returns the days of closed periods before a range whose later changes are booked in it. No day is part of two of them. */
function closedBefore(closed: ReadonlySet<string>, first: string, last: string): Range[] {
  return [...closed]
    .filter((name) => name.length === 7 || !closed.has(name.slice(0, 7)))
    .map((name) => parsePeriod(name, 'period'))
    .filter((period) => {
      const openDay = firstOpenDay(closed, addDays(period.last, 1));
      return openDay >= first && openDay <= last && period.first < first;
    })
    .map((period) => ({ first: period.first, last: period.last < first ? period.last : addDays(first, -1) }));
}

const keyOf = ({ currency, day, kind, subject }: Omit<Sum, 'minor'>) => `${currency}/${day}/${kind}/${subject}`;

/** Days that one statement sums up. Other requests run between two statements. */
const DAYS_AT_ONCE = 7;

/** Returns the sums of the ledger by day and kind. */
async function ledgerSums(read: Read, merchantId: string, { first, last }: Range): Promise<Sum[]> {
  const sums: Sum[] = [];
  for (let from = first; from <= last; from = addDays(from, DAYS_AT_ONCE)) {
    const to = addDays(from, DAYS_AT_ONCE - 1);
    sums.push(...(await sumsOfDays(read, merchantId, { first: from, last: to < last ? to : last })));
    await yieldToOthers();
  }
  return sums;
}

async function sumsOfDays(read: Read, merchantId: string, { first, last }: Range): Promise<Sum[]> {
  const subject = sql<string>`CASE WHEN kind IN (${sql.join(SINGLE_KINDS.map((kind) => sql.lit(kind)))}) THEN subject_id ELSE '' END`;
  const rows = await read.rows(
    queries
      .selectFrom('ledger_transfers')
      .select(({ fn }) => ['currency', 'day', 'kind', subject.as('subject'), fn.sum<number>('amount_minor').as('amount')])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('day', '>=', first)
      .where('day', '<=', last)
      .where('kind', 'in', KINDS)
      .groupBy(['currency', 'day', 'kind', subject]),
  );
  return rows.map(({ amount, ...row }) => ({ ...row, minor: Number(amount) }));
}

async function recordedSums(read: Read, merchantId: string, { first, last }: Range) {
  const rows = await read.rows(
    queries
      .selectFrom('journal_entries')
      .select(({ fn }) => [
        'currency',
        'day',
        'kind',
        'subject',
        fn.sum<number>('amount_minor').as('amount'),
        fn.max('revision').as('revision'),
      ])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('day', '>=', first)
      .where('day', '<=', last)
      .groupBy(['currency', 'day', 'kind', 'subject']),
  );
  return new Map(rows.map((row) => [keyOf(row), { minor: Number(row.amount), revision: Number(row.revision) }]));
}

/** Returns the entries of an export, which are the same at any time after it. */
export async function entriesOf(read: Read, row: JournalExportRow): Promise<JournalEntry[]> {
  let rows = queries
    .selectFrom('journal_entries as e')
    .selectAll('e')
    .where('e.tenant_id', '=', TENANT)
    .where('e.merchant_id', '=', row.merchant_id)
    .where('e.booked_day', '>=', row.start_date)
    .where('e.booked_day', '<=', row.end_date);
  if (row.currency !== '') rows = rows.where('e.currency', '=', row.currency);
  if (row.contents === 'new') rows = rows.where('e.export_id', '=', row.id);
  else
    rows = rows
      .where('e.export_id', '!=', lit(NOT_EXPORTED))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('journal_exports as x')
              .select('x.id')
              .where('x.tenant_id', '=', TENANT)
              .whereRef('x.id', '=', 'e.export_id')
              .where('x.n', '>', row.n),
          ),
        ),
      );
  const found = await read.rows(
    rows.orderBy('e.booked_day').orderBy('e.day').orderBy('e.kind').orderBy('e.subject').orderBy('e.currency').orderBy('e.revision'),
  );
  return found.map((entry) => toEntry(entry, row.id));
}

function toEntry(row: JournalEntryRow, exportId: string): JournalEntry {
  const [debit, credit] = BOOK_ENTRIES[row.kind] as readonly [BookAccount, BookAccount];
  const minor = Number(row.amount_minor);
  const isOpposite = minor < 0;
  return {
    id: idOf(row),
    date: row.booked_day,
    kind: row.kind,
    subject: row.subject === '' ? null : row.subject,
    debit: isOpposite ? credit : debit,
    credit: isOpposite ? debit : credit,
    amount: money(Math.abs(minor), row.currency as Currency),
    status: row.export_id !== exportId ? 'exported' : Number(row.revision) > 1 ? 'changed' : 'new',
    adjusts: row.booked_day === row.day ? null : row.day,
  };
}

/** Returns the ID of an entry: short enough for the journal number of QuickBooks (21 characters), and the same in every export. */
function idOf({ tenant_id, merchant_id, currency, day, kind, subject, revision }: JournalEntryRow): string {
  const hash = createHash('sha256').update([tenant_id, merchant_id, currency, day, kind, subject, revision].join('|'));
  return `PD-${hash.digest('hex').slice(0, 16).toUpperCase()}`;
}
