import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddDisputes'));

test.for(ANY_DATABASE)('turns chargebacks of the sandbox into disputes that withhold nothing (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  const own = { tenant_id: 'ten_1', merchant_id: 'mer_1' };
  await insertInto(old, 'transactions', { ...own, id: 'txn_1', card_brand: 'visa' });
  await old.unitOfWork.transaction(null, (work) =>
    work.run(
      "INSERT INTO chargebacks (tenant_id, id, transaction_id, merchant_id, amount_minor, currency, reason, status, due_date, created_at) VALUES ('ten_1', 'chb_1', 'txn_1', 'mer_1', 500, 'USD', 'fraudulent', 'open', '2026-03-01', '2026-02-01')",
    ),
  );
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .readAcrossTenants()
    .all('SELECT id, status, stage, scheme, reason, amount_minor, withheld_minor FROM disputes');
  expect(rows).toEqual([
    { id: 'dsp_1', status: 'open', stage: 'chargeback', scheme: 'visa', reason: 'fraudulent', amount_minor: 500, withheld_minor: 0 },
  ]);
  await migrated.close();
  await drop();
});
