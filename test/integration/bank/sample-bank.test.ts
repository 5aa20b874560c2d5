import { expect, test } from 'vitest';
import { dateIn } from '#core/kernel';
import { addSampleBank } from '../../../server/demo/sample-bank.ts';
import { openTestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';

const DAYS = 3;
const DAY_SECONDS = 86_400;

test('the sample bank statement ends today, and the payout of today is in transit', async () => {
  const opened = await openTestCore();
  const { core, actor } = opened;
  const { merchantId } = await core.merchants.merchantFor(actor);
  const today = () => dateIn('UTC', core.identity.tenants.clockOf(actor.tenantId).now());
  for (let day = 1; day <= DAYS; day += 1) {
    if (day > 1) await core.sandbox.moveClock(actor, { advanceSeconds: DAY_SECONDS });
    await core.payments.createPayment(actor, {
      type: 'sale',
      amount: '100.00',
      method: { kind: 'card', number: CARDS.visa, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
      source: 'api',
    });
    await core.settlement.settle(actor, merchantId);
    const { batchId } = await core.settlement.makeBatch(actor, { merchantId, startDate: today(), endDate: today() });
    await core.settlement.concludeBatch(actor, batchId, { status: 'paid' });
  }
  await addSampleBank(core, actor, { merchantId, zone: 'UTC', today: today() });
  const { items } = await core.bank.lines(actor, {}, { page: 1, limit: 50 });
  const payouts = items.filter(({ text }) => text.includes('PAYOUT'));
  expect(payouts).toHaveLength(DAYS - 1);
  expect(payouts[0]?.day).toBe(today());
  expect(items.filter(({ day }) => day > today())).toEqual([]);
  await opened.close();
});
