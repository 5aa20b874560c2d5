import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money, parseCurrency } from '#core/kernel';
import type { TransferKind } from '#core/records/ledger';
import { BOOK_ENTRIES } from '../../../core/books/journal/accounts.ts';
import type { JournalEntry } from '../../../core/books/journal/entries.ts';
import { writeJournal } from '../../../core/books/journal/formats.ts';
import { type AccountNames, BOOK_ACCOUNTS } from '../../../core/books/journal/records.ts';
import { FULL } from '../../support/tier.ts';

const run = promisify(execFile);

/** Strict modes of the programs. Each has to accept a file without a word. */
const PROGRAMS = [
  {
    name: 'hledger',
    format: 'hledger',
    args: (file: string) => ['--strict', '-f', file, 'check', 'ordereddates'],
  },
  { name: 'ledger', format: 'hledger', args: (file: string) => ['--strict', '--pedantic', '--args-only', '-f', file, 'balance'] },
  { name: 'bean-check', format: 'beancount', args: (file: string) => [file] },
] as const;

function isInstalled(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Names whose first or last characters have a meaning in a format, or that differ only in characters that a format does not have. */
const AWKWARD = [
  '(Sales)',
  '[Sales]',
  '<Sales>',
  '*Sales',
  '!Sales',
  'Income:Cards & Cash',
  'Income:Cards + Cash',
  'Assets:Bank #1',
  'Assets::Bank',
  ':',
  '--',
  '2026-01-01',
  '1200 Processor',
  'Erlöse:Übrige',
  '売上:カード',
  'مبيعات',
  'assets:kasse',
  'Income: Sales ',
  'Equity',
  'Expenses',
  '~ Monthly',
  'P 2026',
  'alias x',
  'end',
  '%Fees',
  'Fees|Card',
  "O'Hara's till",
  'A:(virtual)',
  'Sales @ counter',
  'Sales = all',
  '{Lot}',
  'É',
  '😀 Till',
];
/** Names that the API takes. */
const VALID = /^(?![ =+\-@])(?!.* {2})[^\p{Cc}"\\;]{1,100}(?<! )$/u;
const CURRENCIES = ['USD', 'JPY', 'KWD', 'EUR', 'CHF', 'XOF', 'CLP'].map((code) => parseCurrency(code));
const KINDS = Object.entries(BOOK_ENTRIES).flatMap(([kind, accounts]) =>
  accounts === null ? [] : [{ kind: kind as TransferKind, accounts }],
);

const namesFrom = (names: readonly string[]): AccountNames =>
  Object.fromEntries(
    BOOK_ACCOUNTS.map((account, index) => [account, { name: names[index % names.length] ?? 'X', code: String(1_000 + index) }]),
  ) as unknown as AccountNames;

const ENTRIES: readonly JournalEntry[] = KINDS.map(({ kind, accounts: [debit, credit] }, index) => ({
  id: `PD-${String(index).padStart(16, '0')}`,
  date: `2026-01-${String(1 + Math.floor(index / 2)).padStart(2, '0')}`,
  kind,
  subject: index % 3 === 0 ? `pay_${index}` : null,
  debit,
  credit,
  amount: money(1 + index * 1_237, CURRENCIES[index % CURRENCIES.length] ?? parseCurrency('USD')),
  status: 'new',
  adjusts: index % 5 === 0 ? '2025-12-31' : null,
}));

describe.each(PROGRAMS)('journals in $name', FULL, ({ name, format, args }) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paydesk-journal-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function expectAccepted(names: readonly string[]): Promise<void> {
    const journal = writeJournal(format, ENTRIES, namesFrom(names), '2026-01');
    const file = join(folder, `file.${format}`);
    await writeFile(file, journal.kind === 'text' ? journal.text : '');
    const { stderr } = await run(name, args(file)).catch((error: { stderr?: string; stdout?: string }) => ({
      stderr: error.stderr || error.stdout || String(error),
    }));
    expect({ names, stderr }).toEqual({ names, stderr: '' });
  }

  test.skipIf(!isInstalled(name))('accept the default names, in every currency', () =>
    expectAccepted(['Assets:Processor', 'Income:Sales', 'Income:Refunds', 'Expenses:Processing-Fees', 'Assets:Bank', 'Liabilities:Tips']),
  );

  test.skipIf(!isInstalled(name))('accept awkward names', async () => {
    for (let at = 0; at < AWKWARD.length; at += BOOK_ACCOUNTS.length) await expectAccepted(AWKWARD.slice(at, at + BOOK_ACCOUNTS.length));
  });

  test.skipIf(!isInstalled(name))('accept any names', async () => {
    // beancount knows the letters of Unicode 6.
    const sign = fc.constantFrom(..."ABCxyz019 :-_.,()[]<>{}*!#%&|~^'@=+?/$éßŁñÖΩλЖяאבعربी東京カー한글ไทย");
    const name = fc.string({ minLength: 1, maxLength: 30, unit: sign }).filter((text) => VALID.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 15, maxLength: 15 }), (names) => expectAccepted(names)),
      { numRuns: 20 },
    );
  });
});
