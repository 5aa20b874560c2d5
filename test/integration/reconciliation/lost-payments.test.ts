import { expect, onTestFinished, test } from 'vitest';
import { openTestCore } from '../../support/core.ts';

test('reports payments known to the gateway only once, on the date that they belong to', async () => {
  const { core, actor, close } = await openTestCore();
  onTestFinished(close);
  const { merchantId } = await core.merchants.merchantFor(actor);
  const sale = (amount: string) =>
    core.payments.createPayment(actor, {
      type: 'sale',
      amount,
      method: { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      source: 'api',
    });
  const dayOf = async () => (await core.settlement.settle(actor, merchantId))[0]?.settlementDate as string;
  const missingOn = async (date: string) =>
    (await core.reconciliation.run(actor, { date })).discrepancies.filter(({ type }) => type === 'missing_in_transactions');

  await sale('20.00');
  const first = await dayOf();
  await core.sandbox.moveClock(actor, { advanceSeconds: 3 * 86_400 });
  await sale('30.00');
  for (let at = 0; at < 50; at += 1) {
    const lost = await sale('40.00');
    // As after restoring a backup from before the sale.
    await core.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      await work.run('DELETE FROM transactions WHERE tenant_id = :tenantId AND id = :id', { id: lost.transactionId });
      await work.run('DELETE FROM attempts WHERE tenant_id = :tenantId AND transaction_id = :id', { id: lost.transactionId });
    });
  }
  const second = await dayOf();
  await core.sandbox.moveClock(actor, { advanceSeconds: 3 * 86_400 });
  await sale('50.00');
  const third = await dayOf();
  const found = await missingOn(second);
  expect(found).toHaveLength(50);
  expect(found.every(({ transactionId, settledAmount }) => transactionId === null && settledAmount?.minor === 4_000)).toBe(true);
  expect(await missingOn(first)).toEqual([]);
  expect(await missingOn(third)).toEqual([]);
});
