import { integer, type RowOf, table, text } from '#core/database';
import type { TransferKind } from '#core/records/ledger';

/** Names of a merchant's accounts in its accounting program, as JSON. */
export const JOURNAL_ACCOUNTS = table(
  'journal_accounts',
  { tenant_id: text, merchant_id: text, accounts: text, updated_at: text },
  { key: ['tenant_id', 'merchant_id'] },
);

/**
 * An exported journal entry: the movements of one kind on one day, or one payout or bank line. Written once. If the ledger has changed since, the
 * next export adds a revision with the difference, so that importing every file once gives the amounts of the ledger.
 */
export const JOURNAL_ENTRIES = table(
  'journal_entries',
  {
    tenant_id: text,
    merchant_id: text,
    currency: text,
    /** Day of the movements. */
    day: text,
    kind: text.of<TransferKind>(),
    /** Payout or bank line; empty for the sum of a day. */
    subject: text,
    revision: integer,
    /** Day of the entry: `day`, or the first open day if the period of `day` was closed before this revision. */
    booked_day: text,
    /** A negative amount exchanges debit and credit. */
    amount_minor: integer,
    /** First export that contains the entry; empty if it was recorded and not exported yet. */
    export_id: text,
  },
  {
    key: ['tenant_id', 'merchant_id', 'currency', 'day', 'kind', 'subject', 'revision'],
    indexes: [{ name: 'journal_entries_by_booked_day', columns: ['tenant_id', 'merchant_id', 'booked_day'] }],
  },
);
export type JournalEntryRow = RowOf<typeof JOURNAL_ENTRIES>;

/**
 * An export of a period. Its file can be written again at any time: its entries are those of the period that this export or an earlier one of the
 * merchant contained first.
 */
export const JOURNAL_EXPORTS = table(
  'journal_exports',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** Position among the exports of the merchant. IDs are in order of the clocks of servers, which differ. */
    n: integer,
    start_date: text,
    end_date: text,
    /** `new`: only the entries that no earlier export contained. */
    contents: text.of<'all' | 'new'>(),
    /** Currency of the entries; empty for all currencies. */
    currency: text,
    entries: integer,
    new_entries: integer,
    created_by: text,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'journal_exports_by_merchant', columns: ['tenant_id', 'merchant_id', 'n'], unique: true }],
  },
);
export type JournalExportRow = RowOf<typeof JOURNAL_EXPORTS>;
