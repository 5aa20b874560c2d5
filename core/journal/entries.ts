import { createHash } from 'node:crypto';
import { closedPeriods, firstOpenDay, parsePeriod } from '#core/bank';
import { queriesOn, type Read, sql, TENANT, type Work } from '#core/database';
import { type Actor, addDays, type Currency, isoTime, type Money, money, newId, parseDate, ServiceError } from '#core/kernel';
import { READABLE_TRANSFERS, type TransferKind } from '#core/ledger';
import { BOOK_ENTRIES, type BookAccount } from './accounts.ts';
import type { Dependencies } from './dependencies.ts';
import { JOURNAL_ENTRIES, type JournalEntryRow } from './schema.ts';

const queries = queriesOn(READABLE_TRANSFERS, JOURNAL_ENTRIES);
const DAYS_MAX = 400;

/** Movements that are entries of their own; all others are summed by day. */
const SINGLE_KINDS: readonly TransferKind[] = [
  'payout',
  'bank_deposit',
  'bank_deposit_reversed',
  'bank_fee',
  'bank_fee_reversed',
  'bank_chargeback',
  'bank_chargeback_reversed',
];
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

export interface JournalInput {
  readonly startDate: string;
  readonly endDate: string;
  readonly merchantId?: string;
  /** `new` omits what was exported before. */
  readonly only?: 'new';
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
 * Returns the journal of a period, and records what is exported. Movements that were posted since the last export become entries of their own. @throws
 * ServiceError INVALID_DATE; VALIDATION_ERROR for a period of more than 400 days.
 */
export async function exportEntries(deps: Dependencies, actor: Actor, input: JournalInput): Promise<JournalEntry[]> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const { merchantId } = merchant;
  const first = parseDate(input.startDate, 'startDate');
  const last = parseDate(input.endDate, 'endDate');
  if (last < first || addDays(first, DAYS_MAX) < last)
    throw new ServiceError('VALIDATION_ERROR', `\`endDate\` must be within ${DAYS_MAX} days after \`startDate\`.`, { field: 'endDate' });
  const now = deps.clockOf(actor.tenantId).now();
  const exportId = newId('jex', now);
  const rows = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const closed = await closedPeriods(work, merchantId);
    const added: JournalEntryRow[] = [];
    for (const range of [{ first, last }, ...closedBefore(closed, first, last)]) {
      const exported = await exportedSums(work, merchantId, range);
      for (const sum of await ledgerSums(work, merchantId, range)) {
        const known = exported.get(keyOf(sum));
        const change = sum.minor - (known?.minor ?? 0);
        exported.delete(keyOf(sum));
        if (change === 0) continue;
        const revision = (known?.revision ?? 0) + 1;
        const row: JournalEntryRow = {
          tenant_id: actor.tenantId,
          merchant_id: merchantId,
          currency: sum.currency,
          day: sum.day,
          kind: sum.kind,
          subject: sum.subject,
          revision,
          booked_day: known ? firstOpenDay(closed, sum.day) : sum.day,
          amount_minor: change,
          export_id: exportId,
        };
        work.insert(JOURNAL_ENTRIES, row);
        added.push(row);
      }
    }
    deps.audit(work, {
      actor,
      action: 'journal.exported',
      resource: `reporting/journal/${exportId}`,
      merchantId,
      after: { startDate: first, endDate: last, newEntries: added.length, at: isoTime(now) },
    });
    return bookedRows(work, merchantId, first, last);
  });
  return rows.filter((row) => input.only === undefined || row.export_id === exportId).map((row) => toEntry(row, exportId));
}

/** Returns the closed periods whose later changes are booked in a range of days. */
function closedBefore(closed: ReadonlySet<string>, first: string, last: string): { first: string; last: string }[] {
  return [...closed]
    .map((name) => parsePeriod(name, 'period'))
    .filter((period) => {
      const openDay = firstOpenDay(closed, addDays(period.last, 1));
      return openDay >= first && openDay <= last && period.first < first;
    });
}

interface Range {
  readonly first: string;
  readonly last: string;
}

const keyOf = ({ currency, day, kind, subject }: Omit<Sum, 'minor'>) => `${currency}/${day}/${kind}/${subject}`;

async function ledgerSums(read: Read, merchantId: string, { first, last }: Range): Promise<Sum[]> {
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
  return rows.map((row) => ({ ...row, minor: Number(row.amount) }));
}

async function exportedSums(read: Read, merchantId: string, { first, last }: Range) {
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

async function bookedRows(work: Work, merchantId: string, first: string, last: string): Promise<JournalEntryRow[]> {
  return work.rows(
    queries
      .selectFrom('journal_entries')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('booked_day', '>=', first)
      .where('booked_day', '<=', last)
      .orderBy('booked_day')
      .orderBy('day')
      .orderBy('kind')
      .orderBy('subject')
      .orderBy('currency')
      .orderBy('revision'),
  );
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
