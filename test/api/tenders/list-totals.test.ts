import { expect } from 'vitest';
import { expectData, expectError, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';

interface Total {
  currency: string;
  count: number;
  amount: number;
}

onBothDatabases('sums payments at the counter and the variances of closed shifts by the filters of their lists', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const totals = async (path: string, query = '') => expectData(api.admin.get<Total[]>(`${path}/totals?merchantId=${merchantId}${query}`));
  expect(await totals('/tenders')).toEqual([]);
  const { shiftId } = await openShift(fixture, { merchantId, drawer: 'Counter', amount: 100 });
  const bar = await openShift(fixture, { merchantId, drawer: 'Bar', amount: 50 });
  await openShift(fixture, { merchantId, drawer: 'Door', amount: 10 });
  const { tenderId } = await takeTender(fixture, 42.5, { merchantId, drawer: 'Counter' });
  await takeTender(fixture, 30, { merchantId, drawer: 'Counter', kind: 'check', checkNumber: '7' });
  await expectData(refundTender(fixture, tenderId, { amount: 2.5 }), 201);
  expect(await totals('/tenders')).toEqual([{ currency: 'USD', count: 2, amount: 70 }]);
  expect(await totals('/tenders', '&kind=check')).toEqual([{ currency: 'USD', count: 1, amount: 30 }]);
  expect(await totals('/tenders', '&status=partially_refunded')).toEqual([{ currency: 'USD', count: 1, amount: 40 }]);
  expect(await totals('/tenders', '&endDate=2020-01-01')).toEqual([]);
  expect(await totals('/tenders', '&startDate=2020-01-01')).toEqual([{ currency: 'USD', count: 2, amount: 70 }]);

  await expectData(closeShift(fixture, shiftId, { amount: 138 }));
  await expectData(closeShift(fixture, bar.shiftId, { amount: 50.25 }));
  expect(await totals('/shifts')).toEqual([{ currency: 'USD', count: 2, amount: -1.75 }]);
  expect(await totals('/shifts', '&drawer=Bar')).toEqual([{ currency: 'USD', count: 1, amount: 0.25 }]);
  expect(await totals('/shifts', '&status=open')).toEqual([]);
  expect(await totals('/shifts', '&startDate=2020-01-01&endDate=2020-01-02')).toEqual([]);

  const stranger = await createUser(fixture, 'manager', {}, await createMerchant(fixture));
  for (const path of ['/tenders', '/shifts']) {
    const get = (query: string) => api.bare.get<Total[]>(`/api/v1${path}/totals${query}`, stranger.headers);
    await expectError(get(`?merchantId=${merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    expect(await expectData(get(''))).toEqual([]);
  }
});
