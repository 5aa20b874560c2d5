import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { storeUpload } from '#core/books/reconciliation';
import { addDays, ServiceError } from '#core/kernel';
import { ofx } from '../../support/bank-files.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { DATABASES } from '../../support/database-kinds.ts';
import { CARDS } from '../../support/sales.ts';
import { FULL, sized } from '../../support/tier.ts';

const DAY_MS = 86_400_000;
const NUMBER = '9876543210';
const SIDES = [
  ['sales', 'ledger'],
  ['sales', 'processor'],
  ['disputes', 'ledger'],
  ['fees', 'ledger'],
  ['payouts', 'ledger'],
  ['bank', 'ledger'],
  ['bank', 'bank'],
] as const;

type Step =
  | { readonly kind: 'sell' | 'settle' | 'pay_out' | 'refund' | 'dispute' | 'resolve' | 'undo' }
  | { readonly kind: 'advance'; readonly days: number }
  | { readonly kind: 'late_line' | 'late_report' | 'slow_clock' | 'close_day' | 'reopen_day'; readonly daysAgo: number }
  | { readonly kind: 'close_month' | 'reopen_month'; readonly monthsAgo: number }
  | { readonly kind: 'export'; readonly daysAgo: number; readonly isNew: boolean };

const daysAgo = fc.integer({ min: 1, max: 25 });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('sell', 'settle', 'pay_out', 'refund', 'dispute', 'undo') }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('advance'), days: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('resolve') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('late_line', 'late_report', 'slow_clock'), daysAgo }) },
  { weight: 7, arbitrary: fc.record({ kind: fc.constant('close_day'), daysAgo }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen_day'), daysAgo }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('close_month', 'reopen_month'), monthsAgo: fc.constantFrom(0, 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('export'), daysAgo, isNew: fc.boolean() }) },
) as fc.Arbitrary<Step>;

/** A shop whose books are traded, closed, reopened and exported in random order. */
class Books {
  private readonly opened: TestCore;
  private readonly merchantId: string;
  private readonly bankAccountId: string;
  private readonly firstDay: string;
  private count = 0;
  private readonly sold: string[] = [];
  /** Figures, adjustments and journal of each closed period, as text. */
  private readonly closed = new Map<string, string>();
  private readonly exportedIds = new Set<string>();

  private constructor(opened: TestCore, merchantId: string, bankAccountId: string) {
    this.opened = opened;
    this.merchantId = merchantId;
    this.bankAccountId = bankAccountId;
    this.firstDay = addDays(this.today(), -30);
  }

  static async open(opened: TestCore): Promise<Books> {
    const { core, actor } = opened;
    const { merchantId } = await core.merchants.merchantFor(actor);
    const { bankAccountId } = await core.bank.createAccount(actor, { name: 'Checking', accountNumber: NUMBER });
    return new Books(opened, merchantId, bankAccountId);
  }

  private today(): string {
    return new Date(this.opened.core.identity.tenants.clockOf(this.opened.actor.tenantId).now()).toISOString().slice(0, 10);
  }

  /** Runs a step; a refusal is as good as a result, any other error is not. */
  async run(step: Step): Promise<void> {
    try {
      await this.attempt(step);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  private async attempt(step: Step): Promise<void> {
    const { core, actor } = this.opened;
    const { merchantId } = this;
    switch (step.kind) {
      case 'sell':
        return this.sell();
      case 'settle':
        await core.settlement.settle(actor, merchantId);
        return;
      case 'pay_out':
        await core.settlement.payOut(actor, { merchantId });
        return;
      case 'refund':
        await core.payments.refund(actor, { transactionId: this.sold.at(-1) ?? '', amount: '1.00' });
        return;
      case 'dispute':
        await core.disputes.raiseChargeback(actor, { transactionId: this.sold.shift() ?? '' });
        return;
      case 'advance':
        await core.sandbox.moveClock(actor, { advanceSeconds: (step.days * DAY_MS) / 1_000 });
        await core.settlement.catchUp(actor.tenantId);
        return;
      case 'late_line':
        return this.importLines([{ day: addDays(this.today(), -step.daysAgo), minor: 100 + this.next(), text: `LATE ${this.next()}` }]);
      case 'late_report':
        return this.reportAgain(addDays(this.today(), -step.daysAgo));
      case 'slow_clock':
        return this.withSlowClock(step.daysAgo, async () => {
          await this.sell();
          await core.settlement.settle(actor, merchantId);
          await core.settlement.payOut(actor, { merchantId });
        });
      case 'resolve':
        return this.resolve();
      case 'undo': {
        const matched = await core.bank.lines(actor, { state: 'matched' }, { page: 1, limit: 20 });
        for (const { lineId } of matched.items.slice(0, 1)) await core.bank.undo(actor, lineId);
        return;
      }
      case 'close_day':
        return this.close(addDays(this.today(), -step.daysAgo));
      case 'close_month':
        return this.close(addDays(`${this.today().slice(0, 7)}-01`, -1 - 28 * step.monthsAgo).slice(0, 7));
      case 'reopen_day':
        return this.reopen(addDays(this.today(), -step.daysAgo));
      case 'reopen_month':
        return this.reopen(addDays(`${this.today().slice(0, 7)}-01`, -1 - 28 * step.monthsAgo).slice(0, 7));
      default:
        return this.export(addDays(this.today(), -step.daysAgo), step.isNew);
    }
  }

  private next(): number {
    this.count += 1;
    return this.count;
  }

  private async sell(): Promise<void> {
    const { core, actor } = this.opened;
    const payment = await core.payments.createPayment(actor, {
      type: 'sale',
      // No amount ends in .13, .14 or .15, which the sandbox processor reports wrong on purpose.
      amount: `${20 + (this.next() % 50)}.${20 + (this.count % 70)}`,
      method: { kind: 'card', number: CARDS.visa, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
      source: 'api',
    });
    this.sold.push(payment.transactionId);
  }

  /** Acts as a workstation whose clock is days behind. */
  private async withSlowClock(days: number, act: () => Promise<void>): Promise<void> {
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() - days * DAY_MS);
    try {
      await act();
    } finally {
      vi.restoreAllMocks();
    }
  }

  private async upload<Result>(content: string, use: (file: Awaited<ReturnType<typeof storeUpload>>) => Promise<Result>): Promise<Result> {
    const file = await storeUpload(this.opened.actor.tenantId, Readable.from([Buffer.from(content)]));
    try {
      return await use(file);
    } finally {
      await file.dispose();
    }
  }

  private async importLines(lines: readonly { day: string; minor: number; text: string }[]): Promise<void> {
    const { core, actor } = this.opened;
    const named = lines.map((line) => ({ ...line, reference: `T${this.next()}` }));
    const content = ofx({ account: NUMBER, opening: 0, lines: named });
    await this.upload(content, (file) => core.bank.importStatement(actor, { bankAccountId: this.bankAccountId, file, filename: null }));
  }

  /** Compares a day with a file in which the processor settled one more payment. */
  private async reportAgain(date: string): Promise<void> {
    const { core, actor } = this.opened;
    const content = `id,amount,date\nx${this.next()},${this.next()}.00,${date}\n`;
    const mapping = { transactionId: 'id', amount: 'amount', date: 'date' };
    const { importId } = await this.upload(content, (file) =>
      core.reconciliation.importFile(actor, { file, filename: null, mapping, merchantId: this.merchantId }),
    );
    const { discrepancies } = await core.reconciliation.run(actor, { date, importId });
    for (const { id } of discrepancies) if (id !== null) await core.reconciliation.resolve(actor, id, 'Known.');
  }

  /** Does what a bookkeeper does before a close: lets the bank book every payout, and explains every line. */
  private async resolve(): Promise<void> {
    const { core, actor } = this.opened;
    const payouts = await core.settlement.payouts(actor, {}, { page: 1, limit: 100 });
    const lines = await core.bank.lines(actor, {}, { page: 1, limit: 200 });
    const missing = payouts.items.filter(({ reference }) => !lines.items.some(({ text }) => text.includes(reference)));
    const arrived = missing.map((payout) => ({
      day: (payout.paidAt ?? '').slice(0, 10),
      minor: payout.amount.minor,
      text: `PAYOUT ${payout.reference}`,
    }));
    if (arrived.length > 0) await this.importLines(arrived);
    const open = await core.bank.lines(actor, { state: 'open' }, { page: 1, limit: 200 });
    for (const { lineId, suggestion } of open.items) {
      const parts = (suggestion?.parts ?? []).map(({ kind, payout }) => ({ kind, ...(payout ? { payoutId: payout.payoutId } : {}) }));
      await core.bank.match(actor, lineId, { parts: parts.length === 1 ? parts : [{ kind: this.next() % 2 === 0 ? 'fee' : 'ignore' }] });
    }
  }

  private async close(period: string): Promise<void> {
    const { core, actor } = this.opened;
    const { startDate, endDate } = await core.bank.close(actor, { period, field: 'date' });
    for (let date = startDate; date <= endDate && date < this.today(); date = addDays(date, 1)) {
      const { merchantId } = this;
      const { discrepancies } = await core.reconciliation.report(actor, { date, merchantId });
      for (const { id, status } of discrepancies)
        if (id !== null && status === 'open') await core.reconciliation.resolve(actor, id, 'Known.');
    }
    const closed = await core.bank.closePeriod(actor, { period });
    expect(closed.closed).toBe(true);
    this.closed.set(period, await this.kept(period));
  }

  private async reopen(period: string): Promise<void> {
    const { core, actor } = this.opened;
    await core.bank.reopenPeriod(actor, { period, reason: 'A correction.' });
    this.closed.delete(period);
  }

  private async export(startDate: string, isNew: boolean): Promise<void> {
    const { core, actor } = this.opened;
    const input = { startDate, endDate: this.today(), ...(isNew ? { only: 'new' as const } : {}) };
    const { journalExportId } = await core.journal.createExport(actor, input);
    const file = await core.journal.file(actor, journalExportId, 'csv');
    if (file.kind !== 'table') throw new Error('CSV is a table');
    const fresh = new Set(file.rows.filter((row) => row[1] !== 'exported').map((row) => String(row[0])));
    for (const id of fresh) expect(this.exportedIds).not.toContain(id);
    for (const id of fresh) this.exportedIds.add(id);
  }

  /** Returns what must not change while a period is closed: its figures, its adjustments, and its part of the journal. */
  private async kept(period: string): Promise<string> {
    const { core, actor } = this.opened;
    const { figures, adjustments, startDate, endDate } = await core.bank.close(actor, { period, field: 'date' });
    const entries = await core.database.read(actor.tenantId).all<{ kind: string; subject: string; day: string; n: number; amount: number }>(
      `SELECT kind, subject, day, COUNT(*) AS n, SUM(amount_minor) AS amount FROM journal_entries
       WHERE tenant_id = :tenantId AND booked_day >= :startDate AND booked_day <= :endDate
       GROUP BY kind, subject, day ORDER BY kind, subject, day`,
      { startDate, endDate },
    );
    const journal = entries.map((row) => ({ ...row, n: Number(row.n), amount: Number(row.amount) }));
    return JSON.stringify({ figures: figures.map(({ state: _, ...figure }) => figure), adjustments, journal });
  }

  /** Checks that closed periods kept their figures, and that all periods together contain every movement once. */
  async check(): Promise<void> {
    const { core, actor } = this.opened;
    for (const [period, kept] of this.closed) expect({ period, kept: await this.kept(period) }).toEqual({ period, kept });
    const counted: Record<string, number> = Object.fromEntries(SIDES.map(([name, side]) => [`${name} ${side}`, 0]));
    const add = (name: string, side: string, minor: number | undefined) => {
      counted[`${name} ${side}`] = (counted[`${name} ${side}`] ?? 0) + (minor ?? 0);
    };
    for (let day = this.firstDay; day <= this.today(); ) {
      const month = day.slice(0, 7);
      const period = this.closed.has(month) ? month : day;
      const close = await core.bank.close(actor, { period, field: 'date' });
      for (const figure of close.figures) for (const [name, side] of SIDES) if (figure.name === name) add(name, side, figure[side]?.minor);
      for (const { name, side, amount } of close.adjustments) add(name, side, amount.minor);
      day = addDays(close.endDate, 1);
    }
    expect(counted).toEqual(await this.totals());
    await this.checkDaySums();
  }

  /** Checks the stored sums of each day against its bank lines. */
  private async checkDaySums(): Promise<void> {
    const read = this.opened.core.database.read(this.opened.actor.tenantId);
    const lines = await read.all<{ booked_day: string; state: string; amount_minor: number; unrelated_minor: number }>(
      'SELECT booked_day, state, amount_minor, unrelated_minor FROM bank_lines WHERE tenant_id = :tenantId',
    );
    const expected: Record<string, number> = {};
    for (const line of lines) {
      const sums = { lines: 1, open_lines: line.state === 'open' ? 1 : 0, amount: line.amount_minor, unrelated: line.unrelated_minor };
      for (const [measure, n] of Object.entries(sums)) {
        const name = `${line.booked_day} ${measure}`;
        expected[name] = (expected[name] ?? 0) + Number(n);
      }
    }
    const stored = await read.all<{ booked_day: string; measure: string; n: number }>(
      'SELECT booked_day, measure, n FROM bank_day_sums WHERE tenant_id = :tenantId',
    );
    const isSet = ([, n]: readonly [string, number]) => n !== 0;
    expect(
      Object.fromEntries(stored.map(({ booked_day, measure, n }) => [`${booked_day} ${measure}`, Number(n)] as const).filter(isSet)),
    ).toEqual(Object.fromEntries(Object.entries(expected).filter(isSet)));
  }

  /** Adds up every row, whatever its day. */
  private async totals(): Promise<Record<string, number>> {
    const read = this.opened.core.database.read(this.opened.actor.tenantId);
    const sum = async (expression: string, from: string) =>
      Number((await read.all<{ n: number | null }>(`SELECT SUM(${expression}) AS n FROM ${from} AND tenant_id = :tenantId`))[0]?.n ?? 0);
    const settled = "settlements WHERE status <> 'assembling'";
    const runs = await read.all<{ totals: string }>(
      'SELECT totals FROM reconciliation_runs WHERE tenant_id = :tenantId AND id IN (SELECT MAX(id) FROM reconciliation_runs WHERE scope = :scope GROUP BY date)',
      { scope: this.merchantId },
    );
    const reported = runs.flatMap(({ totals }) => JSON.parse(totals) as { settlements: number }[]);
    return {
      'sales ledger': await sum('captures_minor - refunds_minor', settled),
      'sales processor': reported.reduce((total, { settlements }) => total + settlements, 0),
      'disputes ledger': await sum('disputes_minor', settled),
      'fees ledger': await sum('fees_minor', settled),
      'payouts ledger': await sum('amount_minor', "ledger_transfers WHERE kind = 'payout'"),
      'bank ledger':
        (await sum('amount_minor', "ledger_transfers WHERE credit = 'bank'")) -
        (await sum('amount_minor', "ledger_transfers WHERE debit = 'bank'")),
      'bank bank': await sum('amount_minor - unrelated_minor', 'bank_lines WHERE 1 = 1'),
    };
  }

  /** Exports everything that was not exported, and checks that the sum of all entries is the ledger, and that a file contained each of them as new. */
  async checkJournal(): Promise<void> {
    const { core, actor } = this.opened;
    for (const period of this.closed.keys()) {
      const { startDate } = await core.bank.close(actor, { period, field: 'date' });
      await this.export(startDate, true);
    }
    await this.export(this.firstDay, true);
    const read = core.database.read(actor.tenantId);
    const sums = (table: string) =>
      read.all<{ kind: string; amount: number }>(
        `SELECT kind, SUM(amount_minor) AS amount FROM ${table} WHERE tenant_id = :tenantId AND kind NOT IN ('settlement', 'settlement_owed')
         GROUP BY kind ORDER BY kind`,
      );
    const plain = (rows: readonly { kind: string; amount: number }[]) => rows.map(({ kind, amount }) => [kind, Number(amount)]);
    expect(plain(await sums('journal_entries'))).toEqual(plain(await sums('ledger_transfers')));
    const [recorded] = await read.all<{ n: number }>('SELECT count(*) AS n FROM journal_entries WHERE tenant_id = :tenantId');
    expect(this.exportedIds.size).toBe(Number(recorded?.n));
  }

  get closedCount(): number {
    return this.closed.size;
  }

  /** Closes a day ten times at the same time, while its lines are matched, undone and imported, and money moves. */
  async race(): Promise<void> {
    const { core, actor } = this.opened;
    await this.run({ kind: 'sell' });
    await this.run({ kind: 'settle' });
    await this.run({ kind: 'pay_out' });
    const day = this.today();
    await this.run({ kind: 'advance', days: 2 });
    await this.run({ kind: 'resolve' });
    const { discrepancies } = await core.reconciliation.report(actor, { date: day, merchantId: this.merchantId });
    for (const { id } of discrepancies) if (id !== null) await core.reconciliation.resolve(actor, id, 'Known.');
    const [line] = (await core.bank.lines(actor, { state: 'matched' }, { page: 1, limit: 1 })).items;
    const closes = Array.from({ length: 10 }, () => core.bank.closePeriod(actor, { period: day }));
    const changes = [
      ...Array.from({ length: 3 }, () => core.bank.undo(actor, line?.lineId ?? '')),
      this.importLines([{ day, minor: 4_321, text: `RACE ${this.next()}` }]),
      this.run({ kind: 'sell' }),
      this.run({ kind: 'settle' }),
      this.run({ kind: 'pay_out' }),
    ];
    const [results] = await Promise.all([Promise.allSettled(closes), Promise.allSettled(changes)]);
    const made = results.filter(({ status }) => status === 'fulfilled');
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'RESOURCE_CONFLICT' });
    expect(made.length).toBeLessThanOrEqual(1);
    if (made.length === 1) this.closed.set(day, await this.kept(day));
    const { closed, history } = await core.bank.close(actor, { period: day, field: 'date' });
    expect({ closed, closes: history.length }).toEqual({ closed: made.length === 1, closes: made.length });
  }
}

afterEach(() => vi.restoreAllMocks());

describe.each(DATABASES)('closed periods (%s)', (kind) => {
  test('keep their figures and their journal, and every later change counts once in an open period', {
    ...FULL,
    timeout: sized(300_000, 900_000),
  }, async () => {
    const length = sized(kind === 'sqlite' ? 35 : 15, 120);
    for (const steps of fc.sample(fc.array(STEP, { minLength: length, maxLength: length }), sized(1, 20))) {
      const opened = await openTestCore(undefined, kind);
      const books = await Books.open(opened);
      for (const step of steps) {
        await books.run(step);
        if (!['sell', 'advance', 'export'].includes(step.kind)) await books.check();
      }
      await books.checkJournal();
      await books.check();
      await opened.close();
    }
  });

  test('are closed once by ten requests at the same time, while matches, imports and payouts of their days run', async () => {
    const opened = await openTestCore(undefined, kind);
    const books = await Books.open(opened);
    let closed = 0;
    for (let round = 0; round < sized(3, 30); round += 1) {
      await books.race();
      await books.check();
      closed = books.closedCount;
    }
    await books.checkJournal();
    expect(closed).toBeGreaterThan(0);
    await opened.close();
  });
});
