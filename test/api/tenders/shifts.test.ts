import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, reportOfShift, type ShiftRecord, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';

const FLOAT = [
  { denomination: 20, quantity: 5 },
  { denomination: 10, quantity: 8 },
  { denomination: '0.25', quantity: 80 },
];

onAnyDatabase('counts a drawer blind from the float to the Z report, which stays as it was', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const at = { merchantId, drawer: 'Counter' };
  const opened = await openShift(fixture, { ...at, count: FLOAT });
  expect(opened).toMatchObject({ status: 'open', floatAmount: 200, expectedAmount: 200, zNumber: null });
  const again = await expectError(api.admin.post('/shifts/open', { ...at, amount: 1 }), 409, 'RESOURCE_CONFLICT');
  expect(again.details).toMatchObject({ shiftId: opened.shiftId });

  const sale = await takeTender(fixture, 42.5, at);
  expect(sale).toMatchObject({ shiftId: opened.shiftId });
  await takeTender(fixture, 30, { ...at, kind: 'check', checkNumber: '7' });
  await expectData(refundTender(fixture, sale.tenderId, { amount: 2.5 }), 201);
  const move = (kind: string, body: Record<string, unknown>) => api.admin.post<ShiftRecord>(`/shifts/${opened.shiftId}/${kind}`, body);
  await expectData(move('pay-in', { amount: 50, reason: 'Change from the bank' }));
  await expectData(move('pay-out', { amount: 15.25, reason: 'Cleaning supplies' }));
  await expectError(move('pay-out', { amount: 1, reason: ' ' }), 400, 'REQUIRED_FIELD_MISSING', 'reason');

  const cashier = await createUser(fixture, 'cashier', {}, merchantId);
  const seen = await expectData(api.bare.get<ShiftRecord>(`/api/v1/shifts/${opened.shiftId}`, cashier.headers));
  expect(seen.expectedAmount).toBeNull();
  expect(seen.movements?.map(({ kind }) => kind)).toEqual(['float', 'check_sale', 'pay_in', 'pay_out']);
  const blind = await expectData(api.bare.get(`/api/v1/shifts/${opened.shiftId}/report`, cashier.headers));
  expect(blind).toMatchObject({
    kind: 'x',
    cashSales: null,
    cashRefunds: null,
    salesCount: null,
    paymentsCount: null,
    expectedAmount: null,
    checkSales: { count: 1, amount: 30 },
  });
  expect(await reportOfShift(fixture, opened.shiftId)).toMatchObject({
    kind: 'x',
    expectedAmount: 274.75,
    cashSales: { count: 1, amount: 42.5 },
  });

  const key = { ...cashier.headers, 'Idempotency-Key': randomUUID() };
  const count = [
    { denomination: 100, quantity: 2 },
    ...FLOAT.slice(0, 1).map((line) => ({ ...line, quantity: 3 })),
    { denomination: 1, quantity: 10 },
  ];
  const close = () => api.bare.post<ShiftRecord>(`/api/v1/shifts/${opened.shiftId}/close`, { count }, key);
  const closed = await expectData(close());
  expect(closed).toMatchObject({ status: 'closed', expectedAmount: 274.75, countedAmount: 270, varianceAmount: -4.75, zNumber: 1 });
  expect(await expectData(close())).toEqual(closed);
  await expectError(closeShift(fixture, opened.shiftId, { amount: 274.75 }), 409, 'RESOURCE_CONFLICT');
  await expectError(move('pay-in', { amount: 1, reason: 'Late' }), 409, 'RESOURCE_CONFLICT');

  const z = await reportOfShift(fixture, opened.shiftId);
  expect(z).toMatchObject({ kind: 'z', zNumber: 1, countedAmount: 270, varianceAmount: -4.75, payOuts: { count: 1, amount: 15.25 } });
  const explained = await expectData(api.admin.put<ShiftRecord>(`/shifts/${opened.shiftId}/note`, { note: 'Wrong change given' }));
  expect(explained).toMatchObject({ note: 'Wrong change given' });
  await expectError(api.admin.put(`/shifts/${opened.shiftId}/note`, { note: 'Another' }), 409, 'RESOURCE_CONFLICT');
  expect(await reportOfShift(fixture, opened.shiftId)).toEqual(z);

  const ledger = await expectData(api.admin.get<{ balanced: boolean }>(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toMatchObject({
    balanced: true,
    merchants: [{ accounts: { cash: 0, checks: 30, cashDifferences: 4.75, ownFunds: 35.25, tenderSales: -70 } }],
  });
  const summary = await expectData(api.admin.get(`/reporting/daily-summary?merchantId=${merchantId}`));
  expect(summary).toMatchObject({
    shifts: {
      openCount: 0,
      closedCount: 1,
      floatAmount: 200,
      payInsAmount: 50,
      payOutsAmount: 15.25,
      cashSalesAmount: 42.5,
      cashRefundsAmount: 2.5,
      countedAmount: 270,
      varianceAmount: -4.75,
      closed: [{ zNumber: 1, drawer: 'Counter', varianceAmount: -4.75 }],
    },
  });
});

onBothDatabases('opens one and closes one of ten parallel shifts, and counts each cash sale that races with the close', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const at = { merchantId, drawer: 'Counter' };
  const TEN = Array.from({ length: 10 }, (_, index) => index);
  const opened = await Promise.all(TEN.map(() => api.admin.post<ShiftRecord>('/shifts/open', { ...at, amount: 100 })));
  expect(opened.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  const shiftId = opened.find(({ status }) => status === 201)?.body.data.shiftId ?? '';
  const [sales, closes] = await Promise.all([
    Promise.all(TEN.map((index) => takeTender(fixture, index + 1, at))),
    Promise.all(TEN.map(() => closeShift(fixture, shiftId, { amount: 100 }))),
  ]);
  expect(closes.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(closes.filter(({ status }) => status === 409)).toHaveLength(9);
  const within = sales.filter((sale) => sale.shiftId === shiftId).reduce((sum, { amount }) => sum + amount, 0);
  const report = await reportOfShift(fixture, shiftId);
  expect(report.cashSales?.amount).toBe(within);
  expect(report.varianceAmount).toBe(0 - within);
  const outside = 55 - within;
  const ledger = await expectData(api.admin.get(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toMatchObject({ merchants: [{ accounts: { cash: outside, cashDifferences: within } }] });
});

describeOnAnyDatabase('shifts', (fixture) => {
  test('takes cash only in a shift if the merchant requires it, and checks at any time', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { cashRequiresShift: true }));
    const refused = await expectError(api.admin.post('/tenders', { kind: 'cash', amount: 5, merchantId }), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'no_open_shift' });
    await takeTender(fixture(), 5, { kind: 'check', checkNumber: '1', merchantId });
    await openShift(fixture(), { merchantId, amount: 0 });
    expect(await takeTender(fixture(), 5, { merchantId })).toMatchObject({ number: 'T-000002' });
  });

  test('gives each person a shift of their own if the merchant wants it, which only they or a manager close', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { shiftPer: 'person' }));
    const [ann, ben] = [await createUser(fixture(), 'cashier', {}, merchantId), await createUser(fixture(), 'cashier', {}, merchantId)];
    const open = (headers: Record<string, string>) =>
      expectData(api.bare.post<ShiftRecord>('/api/v1/shifts/open', { amount: 50 }, headers), 201);
    const [shiftOfAnn, shiftOfBen] = [await open(ann.headers), await open(ben.headers)];
    const sale = await expectData(api.bare.post('/api/v1/tenders', { kind: 'cash', amount: 5 }, ben.headers), 201);
    expect(sale).toMatchObject({ shiftId: shiftOfBen.shiftId });
    const close = (headers: Record<string, string>) => api.bare.post(`/api/v1/shifts/${shiftOfAnn.shiftId}/close`, { amount: 50 }, headers);
    await expectError(close(ben.headers), 403, 'PERMISSION_DENIED');
    await expectData(close(ann.headers));
    await expectData(closeShift(fixture(), shiftOfBen.shiftId, { amount: 55 }));
    const current = await expectData(api.bare.get('/api/v1/shifts/current', ben.headers));
    expect(current).toEqual({ shift: null });
  });

  test('continues a shift that is open while the setting changes between one per drawer and one per person', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const [ann, ben] = [await createUser(fixture(), 'cashier', {}, merchantId), await createUser(fixture(), 'cashier', {}, merchantId)];
    const setShiftPer = (shiftPer: string) => expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { shiftPer }));
    const open = (headers: Record<string, string>) => api.bare.post<ShiftRecord>('/api/v1/shifts/open', { amount: 50 }, headers);
    const sell = (headers: Record<string, string>) =>
      expectData(api.bare.post('/api/v1/tenders', { kind: 'cash', amount: 5 }, headers), 201);
    const current = (headers: Record<string, string>) => expectData(api.bare.get('/api/v1/shifts/current', headers));
    const close = (id: string, headers: Record<string, string>, amount: number) =>
      api.bare.post<ShiftRecord>(`/api/v1/shifts/${id}/close`, { amount }, headers);

    const { shiftId: ofDrawer } = await expectData(open(ann.headers), 201);
    await setShiftPer('person');
    expect(await sell(ben.headers)).toMatchObject({ shiftId: ofDrawer });
    expect(await current(ben.headers)).toMatchObject({ shift: { shiftId: ofDrawer } });
    const card = await expectData(
      api.bare.post<{ transactionId: string }>('/api/v1/transactions', cardBody(7), { ...ben.headers, 'Paydesk-Drawer': 'Drawer 1' }),
    );
    expect(card).toMatchObject({ shiftId: ofDrawer });
    const refused = await expectError(open(ben.headers), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'shift_open', shiftId: ofDrawer });
    expect(await expectData(close(ofDrawer, ben.headers, 55))).toMatchObject({ varianceAmount: 0 });

    const { shiftId: ofAnn } = await expectData(open(ann.headers), 201);
    await setShiftPer('drawer');
    expect(await sell(ann.headers)).toMatchObject({ shiftId: ofAnn });
    expect(await sell(ben.headers)).toMatchObject({ shiftId: null });
    await expectError(open(ben.headers), 409, 'RESOURCE_CONFLICT');
    await expectError(close(ofAnn, ben.headers, 55), 403, 'PERMISSION_DENIED');
    expect(await expectData(close(ofAnn, ann.headers, 55))).toMatchObject({ varianceAmount: 0 });
    await expectData(open(ben.headers), 201);
  });

  test('refuses counts that do not add up, and exports shifts', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const open = (body: Record<string, unknown>) => api.admin.post('/shifts/open', { merchantId, ...body });
    await expectError(open({}), 400, 'REQUIRED_FIELD_MISSING');
    await expectError(open({ amount: 10, count: [{ denomination: 20, quantity: 1 }] }), 400, 'VALIDATION_ERROR');
    await expectError(open({ count: [FLOAT[0], FLOAT[0]] }), 400, 'VALIDATION_ERROR');
    await expectError(open({ count: [{ denomination: 0.001, quantity: 1 }] }), 400, 'INVALID_AMOUNT');
    await openShift(fixture(), { merchantId, amount: 10 });
    const csv = await api.admin.get(`/shifts/export?merchantId=${merchantId}`);
    expect(csv.text.split('\r\n')[1]).toContain('Drawer 1');
  });

  test('prints X and Z reports in the language of the merchant', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const { shiftId } = await openShift(fixture(), { merchantId, count: FLOAT });
    const print = async () =>
      (await expectData(api.admin.post<{ content: string }>('/notifications/receipt/print', { shiftId, format: 'text' }))).content;
    expect(await print()).toContain('X report');
    await expectData(closeShift(fixture(), shiftId, { count: FLOAT }));
    expect(await print()).toMatch(/Z report 1[\s\S]*Audit log +\d+:[0-9a-f]{16}\n[\s\S]*Variance/);
    expect(await print()).toContain('DUPLICATE');
    await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { language: 'es' }));
    expect(await print()).toContain('Informe Z 1');
  });
});
