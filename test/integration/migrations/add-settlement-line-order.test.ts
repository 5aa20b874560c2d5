import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('SettledToTheLastLine'));
const OLD = MIGRATIONS.slice(0, AT);
const NEW = MIGRATIONS.slice(0, AT + 1);

test.for(ANY_DATABASE)("moves opening transfers to the merchant's day, and counts unsettled lines (%s)", async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(OLD);
  const own = { tenant_id: 'ten_1', merchant_id: 'mer_1', currency: 'USD' };
  const merchant = { tenant_id: 'ten_1', id: 'mer_1', currency: 'USD', timezone: 'America/New_York' };
  await insertInto(old, 'merchants', merchant);
  // Nine in the evening of the second in New York, which is the third in UTC; and noon of the third.
  const sales = [
    ['txn_1', '2026-03-03T02:00:00.000Z', 500],
    ['txn_2', '2026-03-03T17:00:00.000Z', 700],
  ] as const;
  for (const [id, at, amount] of sales) {
    const paid = {
      captured_minor: amount,
      amount_minor: amount,
      captured_at: at,
      status: 'approved',
      type: 'sale',
      method: 'card',
      card_brand: 'visa',
    };
    await insertInto(old, 'transactions', { ...own, id, ...paid, source: 'keyed', day: '2026-03-02', created_at: at, updated_at: at });
    const moved = {
      kind: 'capture',
      debit: 'processor',
      credit: 'unsettled',
      amount_minor: amount,
      subject_id: id,
      day: '2026-03-03',
      at,
    };
    await insertInto(old, 'ledger_transfers', { ...own, id: `opening/${id}`, ...moved });
  }
  for (const [measure, n] of [
    ['count', 2],
    ['amount', 1_200],
  ] as const) {
    const counter = { fact: 'capture', day: '2026-03-03', type: 'sale', method: 'card', brand: 'visa', detail: '', measure, n };
    await insertInto(old, 'transaction_facts', { ...own, ...counter });
  }
  await old.close();
  const migrated = await open(NEW);
  const read = migrated.read('ten_1');
  const rows = (sql: string) => read.all<Record<string, unknown>>(`${sql.replace('WHERE', 'WHERE tenant_id = :tenantId AND')}`);
  expect(await rows('SELECT id, day FROM ledger_transfers WHERE 1 = 1 ORDER BY id')).toEqual([
    { id: 'opening/txn_1', day: '2026-03-02' },
    { id: 'opening/txn_2', day: '2026-03-03' },
  ]);
  const facts = await rows('SELECT day, measure, n FROM transaction_facts WHERE 1 = 1 ORDER BY day, measure');
  expect(facts.map(({ day, measure, n }) => [day, measure, Number(n)])).toEqual([
    ['2026-03-02', 'amount', 500],
    ['2026-03-02', 'count', 1],
    ['2026-03-03', 'amount', 700],
    ['2026-03-03', 'count', 1],
  ]);
  const [counted] = await rows("SELECT n FROM ledger_unsettled_lines WHERE merchant_id = 'mer_1'");
  expect(Number(counted?.n)).toBe(2);
  await migrated.close();
  await drop();
});
