import type { Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import type { Actor } from '#core/kernel';
import { type AccountName, type BookAccount, getAccounts, setAccounts } from './accounts.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { exportEntries, type JournalInput, recordPeriod } from './entries.ts';
import { type JournalFile, type JournalFormat, writeJournal } from './formats.ts';
import { JOURNAL_ACCOUNTS, JOURNAL_ENTRIES } from './schema.ts';

export { BOOK_ACCOUNTS } from './accounts.ts';
export { JOURNAL_FORMATS, type JournalFile, type JournalFormat } from './formats.ts';

export const TABLES = [JOURNAL_ACCOUNTS, JOURNAL_ENTRIES];

/** The ledger as a journal for accounting programs (decisions 12). */
export function createJournal(deps: Dependencies) {
  return {
    accounts: (actor: Caller, merchantId?: string) => getAccounts(deps, actor, merchantId),
    setAccounts: (actor: Actor, input: Partial<Record<BookAccount, Partial<AccountName>>>, merchantId?: string) =>
      setAccounts(deps, actor, input, merchantId),
    /** Records the journal of a period that is being closed; handles its event. */
    periodClosed: (work: Work, event: ChangeEvents['period.closed']) => recordPeriod(work, event),
    /** Writes the journal of a period in a format, and records its entries as exported. */
    async export(actor: Actor, input: JournalInput & { readonly format: JournalFormat }): Promise<JournalFile> {
      const names = await getAccounts(deps, actor, input.merchantId);
      const entries = await exportEntries(deps, actor, input);
      return writeJournal(input.format, entries, names, `${input.startDate}-${input.endDate}`);
    },
  };
}
