import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '#core/payments';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';
import { until } from '../../support/until.ts';

let on: TestCore;
beforeAll(async () => {
  on = await openTestCore();
});
afterAll(() => on.close());

const sell = (amount: string): Promise<Transaction> =>
  on.core.payments.sell(on.by, {
    type: 'sale',
    amount,
    method: { kind: 'card', number: CARDS.visa, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
    source: 'api',
  });

/** The rows as they were when the process ended in the midst of a settlement by hand, with one line in and one still out. */
async function lost(settlementId: string, cutoffAt: string, line: string): Promise<void> {
  await on.core.database.unitOfWork.run(on.by.tenantId, async (work) => {
    const params = { settlementId, cutoffAt };
    await work.run(
      "UPDATE settlements SET status = 'assembling', captures_minor = 1000, fees_minor = 59, transaction_count = 1, cutoff_at = :cutoffAt WHERE tenant_id = :tenantId AND id = :settlementId",
      params,
    );
    await work.run(
      'UPDATE transactions SET settled_at = NULL, settlement_id = NULL, settlement_date = NULL, fee_minor = NULL WHERE tenant_id = :tenantId AND id = :line',
      { line },
    );
    await work.run('DELETE FROM ledger_transfers WHERE tenant_id = :tenantId AND subject_id = :settlementId', { settlementId });
    await work.run('UPDATE settlement_schedules SET due_ms = :due, lease_ms = 1 WHERE tenant_id = :tenantId', {
      due: Date.parse(cutoffAt),
    });
  });
}

test('completes a settlement of a stopped process up to its own cutoff, without later captures', async () => {
  const { merchantId } = await on.core.merchants.merchantFor(on.by);
  await on.core.settlement.changeSchedule(on.by, merchantId, { frequency: 'manual' });
  await sell('10.00');
  const second = await sell('20.00');
  const [settlement] = await on.core.settlement.settle(on.by, merchantId);
  const { settlementId = '', cutoffAt = '' } = settlement ?? {};
  await lost(settlementId, cutoffAt, second.transactionId);
  await expect(on.core.settlement.get(on.by, settlementId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await until('the cutoff has passed', () => Date.now() > Date.parse(cutoffAt), { everyMs: 1 });
  const later = await sell('40.00');
  await on.core.settlement.catchUp(on.by.tenantId);
  const whole = await on.core.settlement.get(on.by, settlementId);
  expect([whole.captures.minor, whole.fees.minor, whole.transactionCount]).toEqual([3_000, 147, 2]);
  const { settlementId: own } = await on.core.payments.find(on.by.tenantId, later.transactionId);
  expect(own).toBeNull();
  const schedule = await on.core.settlement.getSchedule(on.by, merchantId);
  expect(schedule.nextCutoffAt).toBeNull();
});

test('keeps a passed cutoff after a change of the schedule', async () => {
  const { merchantId } = await on.core.merchants.merchantFor(on.by);
  await on.core.settlement.changeSchedule(on.by, merchantId, { frequency: 'daily' });
  await on.core.database.unitOfWork.run(on.by.tenantId, (work) =>
    work.run('UPDATE settlement_schedules SET due_ms = :now WHERE tenant_id = :tenantId', { now: Date.now() - 1 }),
  );
  await on.core.settlement.changeSchedule(on.by, merchantId, { frequency: 'monthly' });
  const [became] = await on.core.settlement.catchUp(on.by.tenantId);
  expect(became).toBe('settled');
});
