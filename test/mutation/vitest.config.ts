import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests of the money rules in the order in which they run: the kernel first, because everything uses it, and slow property tests last. Every file runs without a
 * database and without a socket. It imports the rule that it tests directly and not through `#core/<capability>`, because each mutant loads these modules again.
 */
const FILES = [
  'kernel/money-rules',
  'kernel/calendar-dates',
  'kernel/state-table',
  'kernel/money',
  'kernel/ids-and-dates',
  'payments/transaction-states',
  'payments/refund-eligibility',
  'payments/refund-queue',
  'invoicing/invoice-rules',
  'recurring/subscription-states',
  'recurring/billing-periods',
  'recurring/dunning',
  'recurring/retry-schedule',
  'settlement/cutoffs',
  'settlement/amounts',
  'settlement/fees',
  'ledger/posting',
  'gateways/routing-parser',
  'gateways/routing-evaluation',
  'reconciliation/file-amounts',
  'reconciliation/matching',
  'idempotency/idempotency-keys',
  'invoicing/balance',
  'invoicing/items',
  'merchants/cutoff',
  'reconciliation/compare',
].map((name) => `test/unit/${name}.test.ts`);

/** Runs the files in the order of the list, so that the first ones find most mutants. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
    return files.toSorted((left, right) => place(left) - place(right));
  }
}

export default defineConfig({
  test: {
    root: process.cwd(),
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    setupFiles: ['./test/mutation/setup.ts'],
    sequence: { sequencer: InOrder },
    include: FILES,
  },
});
