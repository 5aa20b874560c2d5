import { expect, test } from 'vitest';
import { money } from '#core/kernel';
import { MERCHANTS } from '../../../core/processing/merchants/schema.ts';
import { TRANSACTIONS } from '../../../core/sales/payments/schema.ts';
import { openTestCore } from '../../support/core.ts';

test('refuses new payments in a withdrawn currency, while old ones stay readable and refundable', async () => {
  const { core, actor, close } = await openTestCore();
  const { merchantId } = await core.merchants.merchantFor(actor);
  const sale = {
    type: 'sale',
    amount: 30,
    method: { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
    source: 'api',
  } as const;
  const old = await core.payments.createPayment(actor, sale);
  // The state of a database from the time when the currency was in use.
  await core.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.update(MERCHANTS, { id: merchantId }, { currency: 'HRK' });
    await work.update(TRANSACTIONS, { id: old.transactionId }, { currency: 'HRK' });
  });
  core.merchants.clearCache(actor.tenantId);

  const withdrawn = (message: RegExp) =>
    expect.objectContaining({ code: 'INVALID_CURRENCY', field: 'currency', message: expect.stringMatching(message) });
  await expect(core.payments.createPayment(actor, { ...sale, currency: 'BGN' })).rejects.toEqual(withdrawn(/BGN was withdrawn. Use EUR/));
  await expect(core.payments.createPayment(actor, sale)).rejects.toEqual(
    withdrawn(/currency of the merchant, HRK, was withdrawn. Change it to EUR/),
  );
  expect((await core.payments.createPayment(actor, { ...sale, currency: 'EUR' })).status).toBe('approved');

  expect((await core.payments.get(actor, old.transactionId)).amount).toEqual({ minor: 3_000, currency: 'HRK' });
  const { items } = await core.payments.page(actor, { status: 'approved' }, { page: 1, limit: 10 });
  expect(items.map(({ amount }) => amount.currency)).toEqual(['EUR', 'HRK']);
  const refund = await core.payments.refund(actor, { transactionId: old.transactionId, amount: 10 });
  expect([refund.status, refund.amount]).toEqual(['approved', money(1_000, items[1]?.amount.currency ?? old.amount.currency)]);

  // PUT accepts the response of GET, but no change to a withdrawn currency.
  await expect(core.merchants.update(actor, merchantId, { name: 'Renamed', currency: 'HRK' })).resolves.toMatchObject({ name: 'Renamed' });
  await expect(core.merchants.update(actor, merchantId, { currency: 'ANG' })).rejects.toEqual(withdrawn(/ANG was withdrawn. Use XCG/));
  await close();
});
