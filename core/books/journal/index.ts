import type { PageRequest, Work } from '#core/database';
import type { Actor } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { getAccounts, setAccounts } from './accounts.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { recordPeriod } from './entries.ts';
import { createExport, type JournalInput, pageOfExports, readExport } from './exports.ts';
import { type JournalFile, type JournalFormat, selectCurrency, writeJournal } from './formats.ts';
import type { JournalAccountsChange } from './records.ts';
import { JOURNAL_ACCOUNTS, JOURNAL_ENTRIES, JOURNAL_EXPORTS } from './schema.ts';

export { JOURNAL_FORMATS, type JournalFile, type JournalFormat } from './formats.ts';
export { JournalAccounts, JournalAccountsChange, JournalExport } from './records.ts';

export const TABLES = [JOURNAL_ACCOUNTS, JOURNAL_ENTRIES, JOURNAL_EXPORTS];

/** The ledger as a journal for accounting programs. */
export function createJournal(deps: Dependencies) {
  return {
    accounts: (actor: Caller, merchantId?: string) => getAccounts(deps, actor, merchantId),
    setAccounts: (actor: Actor, input: JournalAccountsChange, merchantId?: string) => setAccounts(deps, actor, input, merchantId),
    /** Records the journal of a period that is being closed; handles its event. */
    periodClosed: (work: Work, event: ChangeEvents['period.closed']) => recordPeriod(work, event),
    createExport: (actor: Actor, input: JournalInput, format?: JournalFormat) => createExport(deps, actor, input, format),
    exports: (actor: Caller, merchantId: string | undefined, at: PageRequest) => pageOfExports(deps, actor, merchantId, at),
    /** Writes the file of a recorded export in a format, in one currency if it is given, with the present names of the accounts. */
    async file(actor: Caller, journalExportId: string, format: JournalFormat, currency?: string): Promise<JournalFile> {
      const { journalExport, entries } = await readExport(deps, actor, journalExportId);
      const names = await getAccounts(deps, actor, journalExport.merchantId);
      const selected = selectCurrency(
        format,
        entries.map(({ amount }) => amount),
        currency ?? journalExport.currency ?? undefined,
      );
      const period = `${journalExport.startDate}-${journalExport.endDate}`;
      if (selected === undefined) return writeJournal(format, entries, names, period);
      const inCurrency = entries.filter(({ amount }) => amount.currency === selected);
      return writeJournal(format, inCurrency, names, `${period}-${selected}`);
    },
  };
}
