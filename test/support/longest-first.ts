import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of half a minute and more, by the end of their paths. Those that start and kill servers are not adjacent: several at the same time
 * would exceed their time limits.
 */
const LONGEST = [
  'recurring/histories.test.ts',
  'backup/backup.test.ts',
  'system/crash.test.ts',
  'recurring/recurring.test.ts',
  'system/keys.test.ts',
  'workstations/killed.test.ts',
  'settlement/reconciliation-imports.test.ts',
  'access/permissions.test.ts',
  'recurring/billing-crash.test.ts',
  'reporting/consistency.test.ts',
  'access/permission-matrix.test.ts',
  'webhooks/receivers.test.ts',
  'reporting/ledger-command.test.ts',
  'invoices/payment-crash.test.ts',
];

/**
 * Starts with the files that take longest, so that none of them runs alone at the end. Vitest knows this only from an earlier run on the
 * same computer.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
