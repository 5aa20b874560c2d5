import { expect, test } from 'vitest';
import { describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant, listSettlements, sell, settle, sumAmounts } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';

const DAY = 86_400;

interface Payout {
  payoutId: string;
  amount: number;
  status: string;
  reference: string;
  settlements: { settlementId: string; amount: number }[];
}
interface Batch {
  batchId: string;
  transactionCount: number;
  totalAmount: number;
  fees: number;
  netAmount: number;
  status: string;
  settlementIds: string[];
}

describeOnAnyDatabase('payouts', (fixture) => {
  test('pays everything settled and unpaid, the oldest first', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    const [first] = await settle(service, merchantId);
    await sell(service, merchantId, 50);
    const [second] = await settle(service, merchantId);
    const part = await expectData(service.api.admin.post<Payout>('/settlement/payout', { merchantId, amount: '100.00' }));
    expect(part).toMatchObject({ amount: 100, status: 'paid' });
    expect(part.settlements).toEqual([
      { settlementId: first?.settlementId, amount: 96.8 },
      { settlementId: second?.settlementId, amount: 3.2 },
    ]);
    expect((await listSettlements(service, merchantId)).map(({ status, paidAmount }) => [status, paidAmount])).toEqual([
      ['pending', 3.2],
      ['paid', 96.8],
    ]);
    const tooMuch = await expectError(
      service.api.admin.post('/settlement/payout', { merchantId, amount: '45.06' }),
      422,
      'INVALID_AMOUNT',
      'amount',
    );
    expect(tooMuch.details).toEqual({ availableToPayOut: 45.05, requestedAmount: 45.06 });
    expect(await expectData(service.api.admin.post<Payout>('/settlement/payout', { merchantId }))).toMatchObject({ amount: 45.05 });
    await expectError(service.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
    expect(await expectData(service.api.admin.get<Payout[]>(`/settlement/payouts?merchantId=${merchantId}`))).toHaveLength(2);
  });

  test('deducts a negative settlement from the next payout', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const paid = await sell(service, merchantId, 80);
    await settle(service, merchantId);
    await expectData(service.api.admin.post('/settlement/payout', { merchantId }));
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 30 }));
    await settle(service, merchantId);
    await expectError(service.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
    await sell(service, merchantId, 100);
    await settle(service, merchantId);
    const payout = await expectData(service.api.admin.post<Payout>('/settlement/payout', { merchantId }));
    expect(payout.amount).toBe(66.8);
    expect((await listSettlements(service, merchantId)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  });

  test('bundles the unpaid settlements of a period, reserves them, and pays them two days later', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    const [first] = await settle(service, merchantId);
    await sell(service, merchantId, 50);
    await settle(service, merchantId);
    const date = first?.settlementDate ?? '';
    const generate = () =>
      service.api.admin.post<Batch>('/settlement/batch-payouts/generate', { merchantId, startDate: date, endDate: date });
    const batch = await expectData(generate());
    expect(batch).toMatchObject({ transactionCount: 2, totalAmount: 150, fees: 4.95, netAmount: 145.05, status: 'pending' });
    await expectError(generate(), 422, 'INVALID_AMOUNT');
    await expectError(service.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
    const look = () => expectData(service.api.admin.get<Batch>(`/settlement/batch-payouts/${batch.batchId}`));
    const summary = () => expectData(service.api.admin.get(`/settlement/summary?merchantId=${merchantId}`));
    const expected = {
      settledUnpaid: { count: 0, amount: 0 },
      inTransit: { count: 1, amount: 145.05 },
      paidIn30Days: { count: 0, amount: 0 },
    };
    expect(await summary()).toMatchObject(expected);
    await advanceClock(service, DAY);
    expect(await look()).toMatchObject({ status: 'processing', actions: { conclude: { allowed: true, choices: ['paid', 'failed'] } } });
    expect(await summary()).toMatchObject(expected);
    await advanceClock(service, DAY);
    expect(await look()).toMatchObject({ status: 'paid' });
    expect(await summary()).toMatchObject({ inTransit: { count: 0, amount: 0 }, paidIn30Days: { count: 1, amount: 145.05 } });
    expect((await listSettlements(service, merchantId)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    const { code, message } = await expectError(
      service.api.admin.post(`/settlement/batch-payouts/${batch.batchId}/conclude`, { status: 'failed' }),
      409,
      'RESOURCE_CONFLICT',
    );
    expect(await look()).toMatchObject({ actions: { conclude: { allowed: false, code, message } } });
    const [listed] = await expectData(service.api.admin.get<Batch[]>(`/settlement/batch-payouts?merchantId=${merchantId}`));
    expect(await look()).toMatchObject({ ...listed });
  });

  test('deducts the negative settlement of another day from a batch of one day', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const paid = await sell(service, merchantId, 80);
    await settle(service, merchantId);
    await expectData(service.api.admin.post('/settlement/payout', { merchantId }));
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 30 }));
    await settle(service, merchantId);
    await advanceClock(service, DAY);
    await sell(service, merchantId, 100);
    const [fresh] = await settle(service, merchantId);
    const date = fresh?.settlementDate ?? '';
    const body = { merchantId, startDate: date, endDate: date };
    expect(await expectData(service.api.admin.post<Batch>('/settlement/batch-payouts/generate', body))).toMatchObject({ netAmount: 66.8 });
    await expectError(service.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
  });

  test('explains why an empty batch cannot be created', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    const [settlement] = await settle(service, merchantId);
    const date = settlement?.settlementDate ?? '';
    await expectData(service.api.admin.post('/settlement/payout', { merchantId, amount: 40 }));
    const generate = (day: string) =>
      expectError(
        service.api.admin.post('/settlement/batch-payouts/generate', { merchantId, startDate: day, endDate: day }),
        422,
        'INVALID_AMOUNT',
      );
    const begun = await generate(date);
    expect(begun.message).toContain('partly paid');
    expect(begun.details).toEqual({ availableToPayOut: 56.8, partlyPaid: [settlement?.settlementId] });
    expect(await generate('2020-01-01')).toMatchObject({
      message: 'There is no unpaid settlement in this period.',
      details: { availableToPayOut: 0 },
    });
  });

  test('releases the settlements of a batch that the bank returned', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    const [settlement] = await settle(service, merchantId);
    const date = settlement?.settlementDate ?? '';
    const batch = await expectData(
      service.api.admin.post<Batch>('/settlement/batch-payouts/generate', { merchantId, startDate: date, endDate: date }),
    );
    const failed = service.api.admin.post<Batch>(`/settlement/batch-payouts/${batch.batchId}/conclude`, {
      status: 'failed',
      note: 'Account closed',
    });
    expect(await expectData(failed)).toMatchObject({ status: 'failed', note: 'Account closed' });
    expect(await expectData(service.api.admin.get(`/settlement/summary?merchantId=${merchantId}`))).toMatchObject({
      settledUnpaid: { count: 1, amount: 96.8 },
      inTransit: { count: 0, amount: 0 },
    });
    expect(await expectData(service.api.admin.post<Payout>('/settlement/payout', { merchantId }))).toMatchObject({ amount: 96.8 });
  });

  test('lists every line in the files of a batch and the funding report, which sum to the paid amount', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const paid = await sell(service, merchantId, 100);
    await sell(service, merchantId, '49.99', { description: '=1+1' });
    await expectData(service.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 10 }));
    const [settlement] = await settle(service, merchantId);
    const date = settlement?.settlementDate ?? '';
    const body = { merchantId, startDate: date, endDate: date };
    const batch = await expectData(service.api.admin.post<Batch>('/settlement/batch-payouts/generate', body));
    const rows = (text: string) =>
      text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
    const file = await service.api.admin.get(`/settlement/batch-payouts/${batch.batchId}/export`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head = [], ...lines] = rows(file.text);
    expect(lines).toHaveLength(3);
    expect(sumAmounts(lines.map((line) => Number(line[head.indexOf('netAmount')])))).toBe(batch.netAmount);
    const report = await service.api.admin.post(`/settlement/funding-report/export/csv?startDate=${date}&merchantId=${merchantId}`);
    const [names = [], ...settlements] = rows(report.text);
    expect(settlements.map((line) => Number(line[names.indexOf('netAmount')]))).toEqual([batch.netAmount]);
    await expectError(service.api.admin.get('/settlement/batch-payouts/bat_00000000000000000000000000/export'), 404, 'NOT_FOUND');
    await expectError(
      service.api.admin.post('/settlement/funding-report/export/csv?startDate=yesterday'),
      400,
      'INVALID_DATE',
      'startDate',
    );
  });

  test('sums the settlements of the funding report and emails it', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    for (const amount of [100, 50, 25]) {
      await sell(service, merchantId, amount);
      await settle(service, merchantId);
    }
    const report = await expectData(
      service.api.admin.get<{ settlements: unknown[]; totalAmount: number; totalFees: number; totalNet: number }>(
        `/settlement/funding-report?merchantId=${merchantId}`,
      ),
    );
    expect(report).toMatchObject({ totalAmount: 175, totalFees: 5.98, totalNet: 169.02 });
    expect(report.settlements).toHaveLength(3);
    const { messageId } = await expectData(
      service.api.admin.post<{ messageId: string }>('/settlement/funding-report/email', { email: 'books@shop.example', merchantId }),
    );
    const [message] = await expectData(
      service.api.admin.get<{ messageId: string; to: string; body: string }[]>('/sandbox/messages?limit=1'),
    );
    expect(message).toMatchObject({ messageId, to: 'books@shop.example' });
    expect(message?.body).toContain('Total: 175.00 - 5.98 = 169.02 USD');
    const period = (query: string) => service.api.admin.get(`/settlement/funding-report?${query}`);
    await expectError(period('startDate=2026-02-31'), 400, 'INVALID_DATE', 'startDate');
    await expectError(period('startDate=2026-02-02&endDate=2026-02-01'), 400, 'VALIDATION_ERROR', 'endDate');
    await expectError(service.api.admin.post('/settlement/funding-report/email', { email: 'nobody' }), 400, 'INVALID_EMAIL', 'email');
  });

  test('lists every settlement in every currency in the funding report: complete, in pages, as a file and by email', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    for (const amount of [100, 50, 25]) {
      await sell(service, merchantId, amount);
      if (amount > 25) await sell(service, merchantId, amount * 9, { currency: 'JPY' });
      await settle(service, merchantId);
    }
    interface Report {
      currency: string;
      count: number;
      settlements: { settlementId: string; netAmount: number; currency: string }[];
      totalNet: number;
      otherCurrencies: { currency: string; count: number; totalNet: number }[];
    }
    const path = `/settlement/funding-report?merchantId=${merchantId}`;
    const yen = { currency: 'JPY', count: 2, totalCaptures: 1_350, totalRefunds: 0, totalAmount: 1_350, totalFees: 39, totalNet: 1_311 };
    const whole = await admin.get<Report>(path);
    expect(whole.body.data).toMatchObject({ currency: 'USD', count: 3, totalNet: 169.02, otherCurrencies: [yen] });
    expect(whole.body.pagination).toBeUndefined();
    expect(sumAmounts(whole.body.data.settlements.map(({ netAmount }) => netAmount))).toBe(169.02);
    const other = await expectData(admin.get<Report>(`${path}&currency=JPY`));
    expect(other).toMatchObject({ ...yen, otherCurrencies: [{ currency: 'USD', count: 3 }] });
    expect(other.settlements.map(({ currency }) => currency)).toEqual(['JPY', 'JPY']);
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: Awaited<ReturnType<typeof admin.get<Report>>> = await admin.get(`${path}&limit=2${cursor && `&cursor=${cursor}`}`);
      expect([part.body.data.totalNet, part.body.pagination.total]).toEqual([169.02, 3]);
      pages.push(...part.body.data.settlements.map(({ settlementId }) => settlementId));
      cursor = part.body.pagination.nextCursor;
    }
    expect(pages).toEqual(whole.body.data.settlements.map(({ settlementId }) => settlementId));
    const second = await expectData(admin.get<Report>(`${path}&limit=2&page=2`));
    expect(second.settlements.map(({ settlementId }) => settlementId)).toEqual(pages.slice(2));
    const file = async (query: string) =>
      (await admin.post(`/settlement/funding-report/export/csv?merchantId=${merchantId}${query}`)).text.trimEnd().split('\r\n').slice(1);
    expect(await file('')).toHaveLength(5);
    expect((await file('&currency=JPY')).every((line) => line.includes(',JPY,'))).toBe(true);
    await expectData(admin.post('/settlement/funding-report/email', { email: 'books@shop.example', merchantId }));
    const [message] = await expectData(admin.get<{ body: string }[]>('/sandbox/messages?limit=1'));
    expect(message?.body).toContain('Total: 175.00 - 5.98 = 169.02 USD\nTotal: 1350 - 39 = 1311 JPY');
    await expectError(admin.get(`${path}&currency=XYZ`), 400, 'INVALID_CURRENCY', 'currency');
    const date = (await listSettlements(service, merchantId))[0]?.settlementDate ?? '';
    const batch = { merchantId, startDate: date, endDate: date, currency: 'JPY' };
    expect(await expectData(admin.post<Batch>('/settlement/batch-payouts/generate', batch))).toMatchObject({
      currency: 'JPY',
      netAmount: 1_311,
    });
    expect(await expectData(admin.get(`/settlement/history/${merchantId}?status=pending&currency=USD`))).toHaveLength(3);
    const { payoutId } = await expectData(admin.post<Payout>('/settlement/payout', { merchantId, amount: 5 }));
    expect(await expectData(admin.get(`/settlement/payouts/${payoutId}`))).toMatchObject({ payoutId, amount: 5 });
    await expectError(admin.get('/settlement/payouts/pay_00000000000000000000000000'), 404, 'NOT_FOUND');
  });
});

describeOnBothDatabases('payouts by parallel requests', (fixture) => {
  test('pays once with twenty parallel payouts, and replays the payout of a repeated key', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    await settle(service, merchantId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.api.admin.post<Payout>('/settlement/payout', { merchantId })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
    await sell(service, merchantId, 10);
    await settle(service, merchantId);
    const once = { 'Idempotency-Key': `payout-${merchantId}` };
    const [one, again] = [
      await service.api.admin.post('/settlement/payout', { merchantId }, once),
      await service.api.admin.post('/settlement/payout', { merchantId }, once),
    ];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(one.text);
  });

  test('creates and concludes a batch once per key, and replays the response', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await sell(service, merchantId, 100);
    const [settlement] = await settle(service, merchantId);
    const date = settlement?.settlementDate ?? '';
    const generate = () =>
      service.api.admin.post<Batch>(
        '/settlement/batch-payouts/generate',
        { merchantId, startDate: date, endDate: date },
        { 'Idempotency-Key': `batch-${merchantId}` },
      );
    const made = (await Promise.all(Array.from({ length: 6 }, generate))).filter(({ status }) => status === 200);
    const again = await generate();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(made.length).toBeGreaterThan(0);
    expect(made.every(({ text }) => text === again.text)).toBe(true);
    const list = `/settlement/batch-payouts?merchantId=${merchantId}`;
    expect(await expectData(service.api.admin.get<Batch[]>(list))).toHaveLength(1);
    const { batchId } = again.body.data;
    const conclude = (status: string) =>
      service.api.admin.post<Batch>(
        `/settlement/batch-payouts/${batchId}/conclude`,
        { status },
        { 'Idempotency-Key': `conclude-${merchantId}` },
      );
    const concluded = (await Promise.all([conclude('paid'), conclude('paid'), conclude('paid')])).filter(({ status }) => status === 200);
    const repeated = await conclude('paid');
    expect(await expectData<Batch>(repeated)).toMatchObject({ batchId, status: 'paid' });
    expect(concluded.every(({ text }) => text === repeated.text)).toBe(true);
    await expectError(conclude('failed'), 409, 'RESOURCE_CONFLICT', 'Idempotency-Key');
    expect(await expectData(service.api.admin.get<Batch[]>(list))).toMatchObject([{ status: 'paid' }]);
    const paid = await expectData(
      service.api.admin.get<{ paidIn30Days: { count: number }; paidSince: string }>(`/settlement/summary?merchantId=${merchantId}`),
    );
    expect(paid.paidIn30Days.count).toBe(1);
    expect(await expectData(service.api.admin.get<Batch[]>(`${list}&paidSince=${paid.paidSince}`))).toHaveLength(1);
    expect(await expectData(service.api.admin.get<Batch[]>(`${list}&settlementId=${settlement?.settlementId}`))).toMatchObject([
      { batchId },
    ]);
    expect(await expectData(service.api.admin.get<Batch[]>(`${list}&paidSince=2099-01-01T00:00:00.000Z`))).toEqual([]);
  });
});
