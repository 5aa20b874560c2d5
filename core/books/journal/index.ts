import type { Work } from '#core/database';
import { bind, type Caller } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { getAccounts, setAccounts } from './accounts.ts';
import type { Dependencies } from './dependencies.ts';
import { recordPeriod } from './entries.ts';
import { createExport, pageOfExports, readExport } from './exports.ts';
import { type JournalFile, type JournalFormat, selectCurrency, writeJournal } from './formats.ts';
import { JOURNAL_ACCOUNTS, JOURNAL_ENTRIES, JOURNAL_EXPORTS } from './schema.ts';

export { JOURNAL_FORMATS, type JournalFile, type JournalFormat } from './formats.ts';
export { JournalAccounts, JournalAccountsChange, JournalExport } from './records.ts';

export const TABLES = [JOURNAL_ACCOUNTS, JOURNAL_ENTRIES, JOURNAL_EXPORTS];

/** The ledger as a journal for accounting programs. */
export function createJournal(deps: Dependencies) {
  return {
    ...bind(deps, { accounts: getAccounts, setAccounts }),
    /** Records the journal of a period that is being closed; handles its event. */
    periodClosed: (work: Work, event: ChangeEvents['period.closed']) => recordPeriod(work, event),
    ...bind(deps, { createExport, exports: pageOfExports }),
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
