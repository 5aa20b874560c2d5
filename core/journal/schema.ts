import { integer, type RowOf, table, text } from '#core/database';
import type { TransferKind } from '#core/ledger';

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
    export_id: text,
  },
  {
    key: ['tenant_id', 'merchant_id', 'currency', 'day', 'kind', 'subject', 'revision'],
    indexes: [{ name: 'journal_entries_by_booked_day', columns: ['tenant_id', 'merchant_id', 'booked_day'] }],
  },
);
export type JournalEntryRow = RowOf<typeof JOURNAL_ENTRIES>;
