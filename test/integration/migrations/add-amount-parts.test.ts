import { expect, test } from 'vitest';
import { checkIntegrity } from '#core/reporting';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddAmountParts'));
const OWN = { tenant_id: 'ten_1', merchant_id: 'mer_1', currency: 'USD' };
const DAY = { day: '2026-11-20', at: '2026-11-20T10:00:00.000Z' };

test.for(ANY_DATABASE)('moves tips and surcharges of the terminal from metadata into amounts (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  const payment = { ...OWN, status: 'approved', type: 'sale', method: 'card', card_brand: 'visa', source: 'keyed', amount_minor: 100_00 };
  const paid = { ...payment, captured_minor: 100_00, day: DAY.day, voided_at: null, settled_at: null };
  const metadata = JSON.stringify({ phone: '1', tip: '10.00', surcharge: '3.00' });
  await insertInto(old, 'transactions', { ...paid, id: 'txn_1', refunded_minor: 50_00, metadata });
  await insertInto(old, 'transactions', { ...paid, id: 'txn_2', metadata: JSON.stringify({ tip: '10.00', table: '7' }) });
  await insertInto(old, 'attempts', {
    tenant_id: 'ten_1',
    id: 'att_1',
    transaction_id: 'txn_1',
    operation: 'sale',
    actor: 'ann',
    amount_minor: 100_00,
    refund_id: null,
  });
  const transfer = { ...OWN, ...DAY, debit: 'processor', credit: 'unsettled', amount_minor: 100_00 };
  await insertInto(old, 'ledger_transfers', { ...transfer, id: 'att_1', kind: 'capture', subject_id: 'txn_1' });
  const refunded = { debit: 'unsettled', credit: 'processor', amount_minor: 50_00 };
  await insertInto(old, 'ledger_transfers', { ...transfer, ...refunded, id: 'att_2', kind: 'refund', subject_id: 'ref_1' });
  await insertInto(old, 'refunds', {
    ...OWN,
    id: 'ref_1',
    transaction_id: 'txn_1',
    status: 'approved',
    type: 'partial',
    amount_minor: 50_00,
  });
  await old.close();

  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const all = (sql: string) => migrated.readAcrossTenants().all(sql);
  expect(await all('SELECT id, tip_minor, surcharge_minor, metadata, created_by FROM transactions ORDER BY id')).toEqual([
    { id: 'txn_1', tip_minor: 10_00, surcharge_minor: 3_00, metadata: '{"phone":"1"}', created_by: 'ann' },
    { id: 'txn_2', tip_minor: 0, surcharge_minor: 0, metadata: '{"tip":"10.00","table":"7"}', created_by: null },
  ]);
  expect(await all('SELECT tip_minor, surcharge_minor, tax_minor FROM refunds')).toEqual([
    { tip_minor: 5_00, surcharge_minor: 1_50, tax_minor: 0 },
  ]);
  expect(await all("SELECT account, n FROM ledger_balances WHERE account IN ('sales', 'tips', 'surcharges') ORDER BY account")).toEqual([
    { account: 'sales', n: 6_50 },
    { account: 'surcharges', n: -1_50 },
    { account: 'tips', n: -5_00 },
  ]);
  await migrated.close();

  const current = await open(MIGRATIONS);
  const differences = await checkIntegrity({ all: (sql: string) => current.readAcrossTenants().all(sql) });
  expect(differences.filter(({ comparison }) => /tip|surcharge|tax/.test(comparison))).toEqual([]);
  await current.close();
  await drop();
});
