import { expect, test } from 'vitest';
import type { Database, Writer } from '#core/database';
import { openTestCore } from '../../support/core.ts';

/** Loses the next voids, so that the processor never receives them. */
function losingVoids(ledger: Database, losses: { left: number }): Database {
  const { unitOfWork } = ledger;
  const record = (tenantId: string, fill: (batch: Writer) => void) =>
    unitOfWork.writeBatch(tenantId, (batch) =>
      fill({
        ...batch,
        insert: (table, row) => {
          if ((row as { operation?: string }).operation === 'void' && losses.left > 0) {
            losses.left -= 1;
            throw new Error('the line is cut');
          }
          batch.insert(table, row);
        },
      } as Writer),
    );
  return { ...ledger, unitOfWork: { transaction: unitOfWork.transaction.bind(unitOfWork), writeBatch: record } };
}

test('voids a payment that a rule declined until the void succeeds', async () => {
  const losses = { left: 2 };
  const { core, actor, close } = await openTestCore((ledger) => losingVoids(ledger, losses));
  const { merchantId } = await core.merchants.merchantFor(actor);
  await core.merchants.changeSection(actor, merchantId, 'fraud-settings', { declineOnAvs: ['A'] });
  const sold = await core.payments.createPayment(actor, {
    type: 'sale',
    amount: 30,
    method: { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
    billing: { address: '1 Main St', zip: '46201' },
    source: 'api',
  });
  expect(sold).toMatchObject({ status: 'declined', declineCode: 'avs_failure' });
  const voids = async () =>
    core.database
      .read(actor.tenantId)
      .all<{ state: string; result: string | null; inquiries: number }>(
        "SELECT state, result, inquiries FROM attempts WHERE tenant_id = :tenantId AND operation = 'void'",
      );
  expect(await voids()).toMatchObject([{ state: 'unconfirmed', inquiries: 1 }]);
  await core.payments.resolveUnconfirmed(actor.tenantId, 3_600_000);
  expect(await voids()).toMatchObject([{ state: 'unconfirmed', inquiries: 2 }]);
  await core.payments.resolveUnconfirmed(actor.tenantId, 3_600_000);
  expect(await voids()).toMatchObject([{ state: 'done', result: 'approved' }]);
  expect((await core.payments.get(actor, sold.transactionId)).status).toBe('declined');
  await close();
});
