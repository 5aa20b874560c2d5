import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of half a minute and more, by the end of their paths. Those that start and kill servers stand apart: several at once would be late for their own bounds. */
const LONGEST = [
  'recurring/histories.test.ts',
  'backup/backup.test.ts',
  'system/crash.test.ts',
  'recurring/recurring.test.ts',
  'system/keys.test.ts',
  'stations/killed.test.ts',
  'settlement/reconciliation-imports.test.ts',
  'access/permissions.test.ts',
  'recurring/billing-crash.test.ts',
  'reporting/agreement.test.ts',
  'access/matrix.test.ts',
  'webhooks/receivers.test.ts',
  'reporting/ledger-command.test.ts',
  'invoices/payment-crash.test.ts',
];

/** Begins with the files that take longest, so that none of them runs on alone at the end. Vitest itself learns that only from a run before, on the same machine. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
