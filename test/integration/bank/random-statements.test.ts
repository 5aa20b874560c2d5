import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { CsvMapping } from '#core/books/bank';
import type { UploadedFile } from '#core/books/reconciliation';
import { ServiceError } from '#core/kernel';
import { bai2, CSV_MAPPING, camt, csv, mt940, ofx, type StatementTruth, type TruthLine } from '../../support/bank-files.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { sized } from '../../support/tier.ts';

const OPENING = 1_000_000;
const RUNS = sized(20, 400);
const { balance: _, ...UNBALANCED } = CSV_MAPPING;

interface Dialect {
  readonly write: (truth: StatementTruth) => string;
  readonly mapping?: CsvMapping;
  /** True if all files have balances. Otherwise lines are known by references, which are then unique. The order of a short CSV file can be unknown. */
  readonly hasBalances: boolean;
}
const FORMATS: Readonly<Record<string, readonly Dialect[]>> = {
  OFX: [
    { write: (truth) => ofx(truth, 1), hasBalances: false },
    { write: (truth) => ofx(truth, 2), hasBalances: false },
  ],
  'CAMT.053': [
    { write: (truth) => camt(truth, '02'), hasBalances: true },
    { write: (truth) => camt(truth, '08'), hasBalances: true },
  ],
  MT940: [
    { write: (truth) => mt940(truth, 'swift'), hasBalances: true },
    { write: (truth) => mt940(truth, 'german'), hasBalances: true },
  ],
  BAI2: [{ write: bai2, hasBalances: true }],
  'CSV with balances': [
    { write: (truth) => csv(truth, 'ascending'), mapping: CSV_MAPPING, hasBalances: false },
    { write: (truth) => csv(truth, 'descending'), mapping: CSV_MAPPING, hasBalances: false },
  ],
  'CSV without balances': [
    { write: (truth) => csv(truth, 'ascending'), mapping: UNBALANCED, hasBalances: false },
    { write: (truth) => csv(truth, 'descending'), mapping: UNBALANCED, hasBalances: false },
  ],
};

let opened: TestCore | undefined;
let accounts = 0;
afterAll(() => opened?.close());

function upload(content: string): UploadedFile {
  return {
    bytes: content.length,
    fingerprint: createHash('sha256').update(content).digest('hex'),
    encoding: 'utf-8',
    async *text() {
      yield content;
    },
    content: async () => Buffer.from(content),
    dispose: async () => {},
  };
}

/** Lines of an account in the order of the bank. Amounts and texts are few, so that many lines of a day are equal. */
const history = fc.array(
  fc.record({
    step: fc.constantFrom(0, 0, 0, 1),
    minor: fc.constantFrom(5_000, 5_000, 700, -700, -5_000),
    text: fc.constantFrom('CARD PAYOUT', 'CARD PAYOUT', 'FEE'),
    hasReference: fc.boolean(),
  }),
  { minLength: 2, maxLength: 12 },
);
/** Files as intervals of the lines, in the order in which they are imported. */
const intervals = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { minLength: 1, maxLength: 6 });

describe('statements of one account, split, overlapping, repeated and in any order', () => {
  test.each(Object.entries(FORMATS))(
    'of %s give each line once, or are refused',
    { timeout: sized(60_000, 900_000) },
    async (_name, dialects) => {
      opened ??= await openTestCore();
      const { core, actor } = opened;
      await fc.assert(
        fc.asyncProperty(history, intervals, fc.constantFrom(...dialects), async (drawn, given, { write, mapping, hasBalances }) => {
          accounts += 1;
          const account = String(9_876_000_000 + accounts);
          let day = 1;
          const lines = drawn.map(({ step, minor, text, hasReference }, index): TruthLine => {
            day += step;
            const reference = !hasBalances || hasReference ? `R${index}` : 'SAME';
            return { day: `2026-02-${String(day).padStart(2, '0')}`, minor, text, reference };
          });
          const { bankAccountId } = await core.bank.createAccount(actor, { name: 'Checking', currency: 'USD' });
          const accepted = new Set<number>();
          const contents = new Map<string, number>();
          const waiting = new Set(given.map(([one, other]) => [Math.min(one, other, lines.length - 1), Math.max(one, other) + 1] as const));
          for (let before = -1; waiting.size !== before; ) {
            before = waiting.size;
            for (const interval of waiting) {
              const [from, to] = interval;
              const opening = lines.slice(0, from).reduce((sum, { minor }) => sum + minor, OPENING);
              const own = lines.slice(from, to);
              const content = write({ account, opening, lines: own });
              // Two files with the same bytes are one import.
              if ((contents.get(content) ?? from) !== from) continue;
              const file = upload(content);
              try {
                await core.bank.importStatement(actor, { bankAccountId, file, filename: null, mapping });
                contents.set(content, from);
                waiting.delete(interval);
                for (let index = from; index < from + own.length; index += 1) accepted.add(index);
              } catch (error) {
                if (!(error instanceof ServiceError) || error.code !== 'RESOURCE_CONFLICT') throw error;
              }
            }
          }
          const { items } = await core.bank.lines(actor, { bankAccountId }, { page: 1, limit: 100 });
          const shown = (all: readonly (readonly [string, number])[]) => all.map(([date, minor]) => `${date} ${minor}`).toSorted();
          const expected = lines.filter((_line, index) => accepted.has(index));
          expect(shown(items.map((line) => [line.day, line.amount.minor]))).toEqual(shown(expected.map((line) => [line.day, line.minor])));
        }),
        { numRuns: RUNS, seed: 58 },
      );
    },
  );
});
