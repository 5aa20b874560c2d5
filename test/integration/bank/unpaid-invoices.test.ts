import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Migration, openPostgres, openSqlite } from '#core/database';
import { MIGRATIONS } from '#migrations';
import { isUnpaid, unpaidMinor } from '../../../core/billing/invoicing/balance.ts';
import { storePayerNames } from '../../../core/billing/invoicing/payer-names.ts';
import { INVOICES, type InvoiceRow, type InvoiceStatus } from '../../../core/billing/invoicing/schema.ts';
import type { OpenInvoice } from '../../../core/books/bank/matching/invoices.ts';
import { suggestMatches } from '../../../core/books/bank/matching/suggest.ts';
import type { OpenLine, Suggestion } from '../../../core/books/bank/matching/suggestion.ts';
import { type UnpaidInvoices, unpaidInvoices } from '../../../core/books/bank/matching/unpaid-invoices.ts';
import { DATABASES } from '../../support/database-kinds.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { planOf } from '../../support/plans.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { allUnpaid } from '../../support/unpaid-invoices.ts';

const ACCOUNT = { merchant_id: 'mer_1', currency: 'USD' };
const AMOUNTS = [1_000, 1_500, 2_500, 4_900] as const;
const FIRST_NAMES = ['Anna', 'Michael', 'Ann', 'Jörg'];
const LAST_NAMES = ['Smith', 'Smithson', 'Michaels', 'Nasmith', '𠮷野家家'];
const COMPANIES = ['Smithson LLC', 'Acme Tools GmbH', 'Annasmith Ltd', '株式会社山田商店', 'Michael', '𠮷野家家家家 Inc'];
const WORDS = ['SEPA', 'CREDIT', 'INV-', 'INVOICE', 'X', '77', 'REF'];

const day = (offset: number) => new Date(Date.UTC(2026, 2, 1 + offset)).toISOString().slice(0, 10);
const customer = fc.record({
  name: fc.option(fc.tuple(fc.constantFrom(...FIRST_NAMES), fc.constantFrom(...LAST_NAMES)).map((words) => words.join(' '))),
  company: fc.option(fc.constantFrom(...COMPANIES), { freq: 2 }),
});
const invoice = fc.record({
  customer: fc.option(fc.nat(14), { freq: 8 }),
  status: fc.constantFrom<InvoiceStatus>('sent', 'sent', 'sent', 'overdue', 'partially_paid', 'draft', 'paid', 'cancelled'),
  kind: fc.constantFrom('invoice' as const, 'invoice' as const, 'invoice' as const, 'link' as const),
  amount: fc.constantFrom(...AMOUNTS),
  paid: fc.constantFrom(0, 0, 0, 500, 1_000),
  pending: fc.constantFrom(0, 0, 0, 500),
  merchant: fc.constantFrom('mer_1', 'mer_1', 'mer_1', 'mer_2'),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  due: fc.option(fc.nat(20)),
});
const line = fc.record({
  /** Customer whose name is before the parts. */
  customer: fc.option(fc.nat(14), { freq: 3 }),
  amount: fc.constantFrom(...AMOUNTS, ...AMOUNTS, 500, 2_000, 3_500, 5_900, -1_000),
  parts: fc.array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...WORDS), weight: 6 },
      { arbitrary: fc.constantFrom(...FIRST_NAMES, ...LAST_NAMES, ...COMPANIES), weight: 6 },
      { arbitrary: fc.nat(40).map((number) => `INV-${String(number).padStart(6, '0')}`), weight: 1 },
      { arbitrary: fc.nat(40).map((number) => `invoice ${number}`), weight: 1 },
    ),
    { maxLength: 4 },
  ),
  separator: fc.constantFrom(' ', ' ', '', '/'),
  days: fc.nat(1),
});
const world = fc.record({
  customers: fc.array(customer, { minLength: 1, maxLength: 15 }),
  invoices: fc.array(invoice, { minLength: 1, maxLength: 40 }),
  lines: fc.array(line, { minLength: 1, maxLength: 25 }),
  payers: fc.array(fc.record({ contains: fc.constantFrom(...LAST_NAMES, 'SEPA CREDIT', 'INVOICE'), customer: fc.nat(14) }), {
    maxLength: 4,
  }),
  held: fc.array(fc.nat(39), { maxLength: 3 }),
  pageLength: fc.integer({ min: 1, max: 8 }),
});
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

const rowsOf = (tenant_id: string, { customers, invoices }: World): InvoiceRow[] =>
  invoices.map((each, nth) => {
    const known = each.customer === null ? null : each.customer % customers.length;
    const { name = null, company = null } = known === null ? {} : (customers[known] ?? {});
    const [number, at] = [`INV-${String(nth + 1).padStart(6, '0')}`, `${day(nth)}T12:00:00.000Z`];
    const paid_minor = each.status === 'paid' ? each.amount : Math.min(each.paid, each.amount);
    const row: InvoiceRow = {
      ...INVOICES.blank,
      tenant_id,
      id: `inv_${String(nth).padStart(3, '0')}`,
      merchant_id: each.merchant,
      kind: each.kind,
      number,
      customer_id: known === null ? null : `cus_${known}`,
      customer_name: name,
      customer_company: company,
      currency: each.currency,
      amount_minor: each.amount,
      tax_minor: 0,
      paid_minor,
      late_fee_minor: 0,
      pending_minor: Math.min(each.pending, each.amount - paid_minor),
      status: each.status,
      due_date: each.due === null ? null : day(each.due),
      items: '[]',
      tip_minor: 0,
      discount_minor: 0,
      allow_partial: 0,
      collect_shipping: 0,
      page_token: `${tenant_id}${nth}`,
      short_code: '',
      lease_ms: 0,
      fence: 0,
      created_at: at,
      updated_at: at,
    };
    return { ...row, unpaid_minor: unpaidMinor(row) };
  });

/** Returns all unpaid invoices of the account by the columns of which their unpaid amount is derived. */
const unpaidAmong = (rows: readonly InvoiceRow[]): OpenInvoice[] =>
  rows
    .filter((row) => row.merchant_id === ACCOUNT.merchant_id && row.currency === ACCOUNT.currency && isUnpaid(row))
    .map((row) => ({
      id: row.id,
      number: row.number,
      customerId: row.customer_id,
      names: [row.customer_name, row.customer_company].filter((name) => name !== null),
      minor: row.amount_minor - row.paid_minor - row.pending_minor,
      day: row.created_at.slice(0, 10),
      dueDay: row.due_date,
    }))
    .filter(({ minor }) => minor > 0);

async function suggestAll({ lines, payers, held, pageLength, customers, invoices }: World, unpaid: UnpaidInvoices) {
  let at = 0;
  const open = lines.map(({ amount: minor, parts, separator, days, customer: named }, nth): OpenLine => {
    at += days * 3;
    const { name, company } = (named === null ? null : customers[named % customers.length]) ?? { name: null, company: null };
    return { id: `bln_${nth}`, day: day(at), minor, text: [name ?? company ?? 'NOBODY', ...parts].join(separator) };
  });
  async function* pages() {
    for (let from = 0; from < open.length; from += pageLength) yield open.slice(from, from + pageLength);
  }
  const found = new Map<string, Suggestion | null>();
  let heldNamed = 0;
  const input = {
    currency: ACCOUNT.currency,
    pages: pages(),
    payouts: [],
    covered: new Map(),
    rules: [],
    unpaid,
    lastNumber: invoices.length,
    payers: payers.map((rule, nth) => ({
      id: `rule_${nth}`,
      contains: rule.contains,
      customerId: `cus_${rule.customer % customers.length}`,
    })),
    held: new Map(held.map((nth) => [`inv_${String(nth).padStart(3, '0')}`, { lineId: 'bln_old', minor: 1_000 }])),
    onHeldNamed: () => {
      heldNamed += 1;
    },
    deposits: [],
    returned: [],
  };
  for await (const results of suggestMatches(input, async () => {}))
    for (const { lineId, suggestion } of results) found.set(lineId, suggestion);
  return { found, heldNamed };
}

/** An invoice of which only the names matter. */
const NAMED = { tenant_id: 'ten_1', merchant_id: ACCOUNT.merchant_id, customer_company: null };

describe.each(DATABASES)('unpaid invoices that bank lines name (%s)', (kind) => {
  let opened: TestDatabase;
  let tenants = 0;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());

  async function store(rows: (tenantId: string) => readonly InvoiceRow[]): Promise<UnpaidInvoices> {
    tenants += 1;
    const tenantId = `ten_${tenants}`;
    await opened.database.unitOfWork.transaction(tenantId, async (work) => {
      for (const row of rows(tenantId)) {
        work.insert(INVOICES, row);
        if (isUnpaid(row)) storePayerNames(work, row);
      }
    });
    return unpaidInvoices(opened.database.read(tenantId), ACCOUNT);
  }

  test('are suggested as if all of them had been read', async () => {
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const stored = await store((tenantId) => rowsOf(tenantId, given));
        const expected = await suggestAll(given, allUnpaid(unpaidAmong(rowsOf('', given))));
        expect(await suggestAll(given, stored)).toEqual(expected);
        for (const suggestion of expected.found.values()) if (suggestion) reasons.add(suggestion.reason);
      }),
    );
    expect([...reasons].toSorted()).toEqual(
      expect.arrayContaining(['customer_name', 'duplicate', 'former_payer', 'invoice_amount', 'invoice_number', 'invoice_typo']),
    );
  });
});

test.each(DATABASES)('finds invoices that were sent before their names were stored (%s)', async (kind) => {
  // More invoices than one step of the migration reads.
  const worlds = fc.sample(world, { numRuns: 400, seed: 1 }).map((given, nth) => ({ tenantId: `ten_${nth}`, given }));
  const columns = INVOICES.columns.filter((column) => column !== 'unpaid_minor');
  const values = worlds.flatMap(({ tenantId, given }) => rowsOf(tenantId, given)).map((row) => columns.map((column) => row[column]));
  expect(values.length).toBeGreaterThan(2_000);
  const earlier = MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex(({ name }) => name.startsWith('FindUnpaidInvoices')),
  );
  const { migrate, insert, remove } = kind === 'sqlite' ? await emptySqlite() : await emptyPostgres();
  await (await migrate(earlier)).close();
  await insert('invoices', columns, values);
  const database = await migrate(MIGRATIONS);
  for (const { tenantId, given } of worlds.filter((_, nth) => nth % 5 === 0)) {
    const stored = await unpaidInvoices(database.read(tenantId), ACCOUNT);
    const expected = await suggestAll(given, allUnpaid(unpaidAmong(rowsOf('', given))));
    expect(await suggestAll(given, stored)).toEqual(expected);
  }
  await database.close();
  await remove();
});

type Values = readonly (readonly (string | number | null)[])[];

async function emptySqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-unpaid-'));
  const file = join(folder, 'paydesk.sqlite');
  return {
    migrate: (migrations: readonly Migration[]) => openSqlite({ file, migrations }),
    async insert(table: string, columns: readonly string[], rows: Values) {
      const connection = new BetterSqlite3(file);
      const statement = connection.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
      connection.transaction(() => {
        for (const row of rows) statement.run(...row);
      })();
      connection.close();
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function emptyPostgres() {
  const { url, drop } = await freshDatabase();
  return {
    migrate: (migrations: readonly Migration[]) => openPostgres({ url, migrations }),
    async insert(table: string, columns: readonly string[], rows: Values) {
      const client = new Client({ connectionString: url });
      await client.connect();
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, nth) => `$${nth + 1}`).join(', ')})`;
      for (const row of rows) await client.query(sql, [...row]);
      await client.end();
    },
    remove: drop,
  };
}

test('reads invoices that bank lines name by indexes of what they name', async () => {
  const { database, close } = await openTestDatabase('sqlite');
  const texts = Array.from({ length: 20 }, (_, nth) => `TRANSFERFROMCUSTOMERWITHLONGNAME${nth}`);
  const steps = await planOf(async () => {
    await database.unitOfWork.transaction('ten_1', async (work) => {
      for (let nth = 0; nth < 200; nth += 1)
        storePayerNames(work, { ...NAMED, customer_id: `cus_${nth}`, customer_name: `Customer Withlongname ${nth}` } as InvoiceRow);
    });
    const unpaid = await unpaidInvoices(database.read('ten_1'), ACCOUNT);
    expect((await unpaid.customersIn(texts)).length).toBe(20);
    await unpaid.numbered([1, 2]);
    await unpaid.ofCustomers(['cus_1']);
    await unpaid.oldestOf([1_000]);
    await unpaid.next(1_000, 'inv_1');
  });
  await close();
  const reads = steps.flatMap(
    (step) => /^(?:SEARCH|SCAN) (invoices|invoice_payer_names)\b.*?(\(.*\))?$/.exec(step)?.slice(1, 3).join(' ') ?? [],
  );
  expect([...new Set(reads)].toSorted()).toEqual(
    [
      'invoice_payer_names (tenant_id=? AND merchant_id=? AND name=?)',
      'invoice_payer_names (tenant_id=? AND merchant_id=? AND start=?)',
      // At most a number of names that depends on the texts.
      'invoice_payer_names (tenant_id=? AND merchant_id=?)',
      'invoices (tenant_id=? AND customer_id=? AND unpaid_minor>?)',
      'invoices (tenant_id=? AND merchant_id=? AND currency=? AND unpaid_minor=? AND id>?)',
      'invoices (tenant_id=? AND merchant_id=? AND currency=? AND unpaid_minor=?)',
      'invoices (tenant_id=? AND merchant_id=? AND currency=? AND unpaid_minor>?)',
      'invoices (tenant_id=? AND merchant_id=? AND number=?)',
    ].toSorted(),
  );
});
