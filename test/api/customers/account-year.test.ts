import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listBankLines, matchBankLine, suggestedParts } from '../../support/bank.ts';
import { type ApiFixture, expectData, sized } from '../../support/server.ts';
import { FULL } from '../../support/tier.ts';
import { describeWithLedger, type LedgerServer } from '../reporting/ledger-server.ts';
import { type Border, cents, runYear, sumOf, year } from './account-year.ts';
import { entriesOf, type StatementRecord, statementOf } from './statement-history.ts';

const DAY_MS = 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the months of a range of days. */
function monthsOf(first: string, last: string): string[] {
  const months = [first.slice(0, 7)];
  while ((months.at(-1) as string) < last.slice(0, 7)) months.push(addDays(`${months.at(-1)}-28`, 5).slice(0, 7));
  return months;
}

/** Movements of the ledger that a statement shows as money received or paid out. */
const MONEY_KINDS = /^(?:capture|capture_reversed|refund|credit|refund_outside|(?:cash|check|other)_(?:sale|refund))$/;
/** Accounts that a payment of a customer debits. */
const MONEY_ACCOUNTS = ['processor', 'own_funds', 'cash', 'checks', 'other_tenders'];

interface Posting {
  readonly date: string;
  readonly kind: string;
  readonly account: string;
  /** Debits less credits, in cents. */
  readonly minor: number;
}

/** Returns the rows of a CSV file without quoted commas, each as a function that returns the cell of a column. */
function rowsOf(text: string): ((name: string) => string)[] {
  const [head = '', ...rows] = text
    .trim()
    .replace(/^\uFEFF/, '')
    .split('\r\n');
  const columns = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return (name) => {
      const at = columns.indexOf(name);
      expect(at, `column ${name}`).toBeGreaterThanOrEqual(0);
      return cells[at] ?? '';
    };
  });
}

/** Returns the postings of the journal in a range of days. */
async function journalOf({ api }: ApiFixture, merchantId: string, startDate: string, endDate: string): Promise<Posting[]> {
  const query = new URLSearchParams({ merchantId, startDate, endDate, format: 'csv' });
  const { status, text } = await api.admin.get<string>(`/reporting/journal?${query}`);
  expect(status).toBe(200);
  return rowsOf(text).map((cell) => ({
    date: cell('date'),
    kind: cell('kind'),
    account: cell('account'),
    minor: cents(Number(cell('debit'))) - cents(Number(cell('credit'))),
  }));
}

/** Sums the statements of all customers over a period, and checks that each agrees with its entries and its CSV file. */
async function statementSums(service: ApiFixture, customerIds: readonly string[], startDate: string, endDate: string) {
  const sums = { opening: 0, closing: 0, received: 0, paidOut: 0, fees: 0, processor: 0, balances: {} as Record<string, number> };
  for (const customerId of customerIds) {
    const { accounts } = await statementOf(service, customerId, { startDate, endDate });
    const entries = await entriesOf(service, customerId, { startDate, endDate });
    const account = accounts[0] as StatementRecord['accounts'][number] | undefined;
    let balance = cents(account?.openingBalance ?? 0);
    sums.opening += balance;
    for (const entry of entries) {
      expect(entry.date >= startDate && entry.date <= endDate, 'days of entries').toBe(true);
      balance += cents(entry.charge) - cents(entry.credit);
      expect(cents(entry.balance), entry.entryId).toBe(balance);
      if (entry.kind.startsWith('late_fee')) sums.fees += cents(entry.charge) - cents(entry.credit);
      // Unlinked credits have an account of their own.
      if (entry.transactionId !== null && entry.kind !== 'credit') sums.processor += cents(entry.money);
    }
    expect(cents(account?.closingBalance ?? 0)).toBe(balance);
    const money = entries.map((entry) => cents(entry.money));
    expect(cents(account?.received ?? 0)).toBe(sumOf(money.filter((minor) => minor > 0)));
    expect(cents(account?.paidOut ?? 0)).toBe(0 - sumOf(money.filter((minor) => minor < 0)));
    const csv = await service.api.admin.get<string>(
      `/customers/${customerId}/statement/export?${new URLSearchParams({ startDate, endDate })}`,
    );
    const rows = rowsOf(csv.text);
    expect(rows.map((cell) => cell('entryId'))).toEqual(entries.map(({ entryId }) => entryId));
    const sumIn = (name: string) => sumOf(rows.map((cell) => cents(Number(cell(name)))));
    expect(cents(account?.openingBalance ?? 0) + sumIn('charge') - sumIn('credit'), 'sum of the CSV file').toBe(balance);
    expect(sumIn('money'), 'money of the CSV file').toBe(sumOf(money));
    sums.closing += balance;
    sums.received += cents(account?.received ?? 0);
    sums.paidOut += cents(account?.paidOut ?? 0);
    sums.balances[customerId] = balance;
  }
  return sums;
}

/** Runs a random year, and compares the statements of its customers, the journal and the close in each month and across its borders. */
async function agree(ledgerServer: LedgerServer, draw: Parameters<typeof runYear>[1], cuts: readonly number[]): Promise<void> {
  const { service } = ledgerServer;
  const { api } = service;
  const { shop, firstDay, borders, zone, customerIds } = await runYear(service, draw);
  const { merchantId } = shop;
  const lastDay = (borders.at(-1) as Border).day;
  const journal = await journalOf(service, merchantId, firstDay, lastDay);
  const posted = (isWanted: (posting: Posting) => boolean) => sumOf(journal.filter(isWanted).map(({ minor }) => minor));

  /** Compares a period on all sides. Without a period before it, it begins with the first day. */
  const comparePeriod = async (first: string, last: string) => {
    const sums = await statementSums(service, customerIds, first, last);
    const isIn = ({ date }: Posting) => date >= first && date <= last;
    expect(sums.received - sums.paidOut, `money of ${first} to ${last}`).toBe(
      posted((each) => isIn(each) && MONEY_KINDS.test(each.kind) && MONEY_ACCOUNTS.includes(each.account)),
    );
    const bank = posted((each) => isIn(each) && each.account === 'bank');
    return { ...sums, bank };
  };

  let closing = 0;
  let settled = 0;
  for (const [index, border] of borders.entries()) {
    const first = index === 0 ? firstDay : addDays((borders[index - 1] as Border).day, 1);
    // The last step can be on the day of a border.
    if (first > border.day) continue;
    const month = await comparePeriod(first, border.day);
    expect(month.opening, `opening of ${first}`).toBe(closing);
    closing = month.closing;
    // The day of a posting stays, but the day of an invoice is that of its time in the present zone.
    if (border.zone === zone) expect(month.balances, `balances of ${border.day}, then and now`).toEqual(border.balances);
    let bank = 0;
    // A change of the time zone can skip a border.
    for (const name of monthsOf(first, border.day)) {
      const figuresOf = async () =>
        (
          await expectData(
            api.admin.get<{ figures: { name: string; ledger: number; processor: number | null }[] }>(
              `/settlement/close?${new URLSearchParams({ merchantId, month: name })}`,
            ),
          )
        ).figures;
      // The request compares the days that were not compared yet.
      await expect
        .poll(async () => (await figuresOf()).filter((each) => each.name === 'sales' && each.processor !== each.ledger), {
          message: `settlements of ${name}`,
        })
        .toEqual([]);
      const figures = await figuresOf();
      const figure = (figureName: string) => figures.find((each) => each.name === figureName);
      bank += cents(figure('bank')?.ledger ?? 0);
      settled += cents(figure('sales')?.ledger ?? 0) + cents(figure('disputes')?.ledger ?? 0);
    }
    expect(bank, `bank until ${border.day}`).toBe(month.bank);
    const year = await comparePeriod(firstDay, border.day);
    // Statements contain no disputes, which a settlement deducts.
    const disputed = posted(({ date, kind, account }) => date <= border.day && kind.startsWith('chargeback') && account === 'chargebacks');
    expect(year.processor - disputed, `processor until ${border.day}`).toBe(settled - (border.ledger.unsettled ?? 0));
    expect(year.fees, `late fees until ${border.day}`).toBe(border.fees);
    expect(0 - (border.ledger.lateFees ?? 0), `paid late fees until ${border.day}`).toBe(border.paidFees);
    expect(
      posted(({ date, account }) => date <= border.day && account === 'late_fees'),
      `journal of late fees until ${border.day}`,
    ).toBe(0 - border.paidFees);
  }
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS;
  for (const cut of cuts) {
    const middle = addDays(firstDay, cut % Math.max(days, 1));
    const before = await comparePeriod(firstDay, middle);
    const after = await comparePeriod(addDays(middle, 1), addDays(lastDay, 1));
    expect(before.closing, `border of ${middle}`).toBe(after.opening);
    expect(after.closing).toBe(closing);
  }
  expect(await ledgerServer.differences()).toEqual([]);

  // A person explains the open lines, and each month can be closed with equal sides.
  for (const line of await listBankLines(service, shop, 'state=open'))
    await expectData(matchBankLine(service, line.lineId, line.suggestion?.parts.length ? suggestedParts(line) : [{ kind: 'ignore' }]));
}

const check = (ledgerServer: () => LedgerServer, { steps, runs }: { readonly steps: number; readonly runs: number }) =>
  fc.assert(
    fc.asyncProperty(year(steps), fc.array(fc.nat(400), { minLength: 2, maxLength: 2 }), (draw, cuts) => agree(ledgerServer(), draw, cuts)),
    { numRuns: runs, endOnFailure: true },
  );

describeWithLedger(
  'the statement, the ledger and the close of random years',
  (ledgerServer, inFull) => {
    test('agree in each month and across its borders', { ...inFull, timeout: 180_000 }, () => check(ledgerServer, { steps: 40, runs: 1 }));
    test('agree after many operations', { ...FULL, timeout: sized(600_000, 3_600_000) }, () =>
      check(ledgerServer, { steps: 80, runs: sized(3, 40) }),
    );
  },
  'empty',
);
