import { expect, test } from 'vitest';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { historyOf, newMerchant, sell, settle, sum } from '../../support/settlements.ts';
import { advance } from '../../support/webhooks.ts';

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

describeOnBothDatabases('payouts', (fixture) => {
  test('everything that is settled and unpaid, the oldest first; then nothing is left', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 100);
    const [first] = await settle(on, merchantId);
    await sell(on, merchantId, 50);
    const [second] = await settle(on, merchantId);
    const part = await expectData(on.api.admin.post<Payout>('/settlement/payout', { merchantId, amount: '100.00' }));
    expect(part).toMatchObject({ amount: 100, status: 'paid' });
    expect(part.settlements).toEqual([
      { settlementId: first?.settlementId, amount: 96.8 },
      { settlementId: second?.settlementId, amount: 3.2 },
    ]);
    expect((await historyOf(on, merchantId)).map(({ status, paidAmount }) => [status, paidAmount])).toEqual([
      ['pending', 3.2],
      ['paid', 96.8],
    ]);
    const tooMuch = await expectError(
      on.api.admin.post('/settlement/payout', { merchantId, amount: '45.06' }),
      422,
      'INVALID_AMOUNT',
      'amount',
    );
    expect(tooMuch.details).toEqual({ availableToPayOut: 45.05, requestedAmount: 45.06 });
    expect(await expectData(on.api.admin.post<Payout>('/settlement/payout', { merchantId }))).toMatchObject({ amount: 45.05 });
    await expectError(on.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
    expect(await expectData(on.api.admin.get<Payout[]>(`/settlement/payouts?merchantId=${merchantId}`))).toHaveLength(2);
  });

  test('what a settlement owes is taken off the next payout', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    const paid = await sell(on, merchantId, 80);
    await settle(on, merchantId);
    await expectData(on.api.admin.post('/settlement/payout', { merchantId }));
    await expectData(on.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 30 }));
    await settle(on, merchantId);
    await expectError(on.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
    await sell(on, merchantId, 100);
    await settle(on, merchantId);
    const payout = await expectData(on.api.admin.post<Payout>('/settlement/payout', { merchantId }));
    expect(payout.amount).toBe(66.8);
    expect((await historyOf(on, merchantId)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  });

  test('twenty payouts at once pay once, and a repeat with the same key is the same payout', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 100);
    await settle(on, merchantId);
    const answers = await Promise.all(Array.from({ length: 20 }, () => on.api.admin.post<Payout>('/settlement/payout', { merchantId })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
    await sell(on, merchantId, 10);
    await settle(on, merchantId);
    const once = { 'Idempotency-Key': `payout-${merchantId}` };
    const [one, again] = [
      await on.api.admin.post('/settlement/payout', { merchantId }, once),
      await on.api.admin.post('/settlement/payout', { merchantId }, once),
    ];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(one.text);
  });

  test('a batch bundles the unpaid settlements of a period, holds them, and is paid two days later', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 100);
    const [first] = await settle(on, merchantId);
    await sell(on, merchantId, 50);
    await settle(on, merchantId);
    const date = first?.settlementDate ?? '';
    const generate = () => on.api.admin.post<Batch>('/settlement/batch-payouts/generate', { merchantId, startDate: date, endDate: date });
    const batch = await expectData(generate());
    expect(batch).toMatchObject({ transactionCount: 2, totalAmount: 150, fees: 4.95, netAmount: 145.05, status: 'pending' });
    await expectError(generate(), 422, 'INVALID_AMOUNT');
    await expectError(on.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
    const look = () => expectData(on.api.admin.get<Batch>(`/settlement/batch-payouts/${batch.batchId}`));
    await advance(on, DAY);
    expect(await look()).toMatchObject({ status: 'processing' });
    await advance(on, DAY);
    expect(await look()).toMatchObject({ status: 'paid' });
    expect((await historyOf(on, merchantId)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    await expectError(
      on.api.admin.post(`/settlement/batch-payouts/${batch.batchId}/conclude`, { status: 'failed' }),
      409,
      'RESOURCE_CONFLICT',
    );
    const [listed] = await expectData(on.api.admin.get<Batch[]>(`/settlement/batch-payouts?merchantId=${merchantId}`));
    expect(listed).toEqual(await look());
  });

  test('a batch of one day takes off what a settlement of another day owes', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    const paid = await sell(on, merchantId, 80);
    await settle(on, merchantId);
    await expectData(on.api.admin.post('/settlement/payout', { merchantId }));
    await expectData(on.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 30 }));
    await settle(on, merchantId);
    await advance(on, DAY);
    await sell(on, merchantId, 100);
    const [fresh] = await settle(on, merchantId);
    const date = fresh?.settlementDate ?? '';
    const body = { merchantId, startDate: date, endDate: date };
    expect(await expectData(on.api.admin.post<Batch>('/settlement/batch-payouts/generate', body))).toMatchObject({ netAmount: 66.8 });
    await expectError(on.api.admin.post('/settlement/payout', { merchantId }), 422, 'INVALID_AMOUNT');
  });

  test('a batch that the bank sent back gives its settlements free', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    await sell(on, merchantId, 100);
    const [settlement] = await settle(on, merchantId);
    const date = settlement?.settlementDate ?? '';
    const batch = await expectData(
      on.api.admin.post<Batch>('/settlement/batch-payouts/generate', { merchantId, startDate: date, endDate: date }),
    );
    const failed = on.api.admin.post<Batch>(`/settlement/batch-payouts/${batch.batchId}/conclude`, {
      status: 'failed',
      note: 'Account closed',
    });
    expect(await expectData(failed)).toMatchObject({ status: 'failed', note: 'Account closed' });
    expect(await expectData(on.api.admin.post<Payout>('/settlement/payout', { merchantId }))).toMatchObject({ amount: 96.8 });
  });

  test('the files of a batch and of the funding report hold every line, and sum to what is paid', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    const paid = await sell(on, merchantId, 100);
    await sell(on, merchantId, '49.99', { description: '=1+1' });
    await expectData(on.api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 10 }));
    const [settlement] = await settle(on, merchantId);
    const date = settlement?.settlementDate ?? '';
    const body = { merchantId, startDate: date, endDate: date };
    const batch = await expectData(on.api.admin.post<Batch>('/settlement/batch-payouts/generate', body));
    const rows = (text: string) =>
      text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
    const file = await on.api.admin.get(`/settlement/batch-payouts/${batch.batchId}/export`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head = [], ...lines] = rows(file.text);
    expect(lines).toHaveLength(3);
    expect(sum(lines.map((line) => Number(line[head.indexOf('netAmount')])))).toBe(batch.netAmount);
    const report = await on.api.admin.post(`/settlement/funding-report/export/csv?startDate=${date}&merchantId=${merchantId}`);
    const [names = [], ...settlements] = rows(report.text);
    expect(settlements.map((line) => Number(line[names.indexOf('netAmount')]))).toEqual([batch.netAmount]);
    await expectError(on.api.admin.get('/settlement/batch-payouts/bat_00000000000000000000000000/export'), 404, 'NOT_FOUND');
    await expectError(on.api.admin.post('/settlement/funding-report/export/csv?startDate=yesterday'), 400, 'INVALID_DATE', 'startDate');
  });

  test('the funding report sums its settlements, and goes by e-mail', async () => {
    const on = fixture();
    const merchantId = await newMerchant(on);
    for (const amount of [100, 50, 25]) {
      await sell(on, merchantId, amount);
      await settle(on, merchantId);
    }
    const report = await expectData(
      on.api.admin.get<{ settlements: unknown[]; totalAmount: number; totalFees: number; totalNet: number }>(
        `/settlement/funding-report?merchantId=${merchantId}`,
      ),
    );
    expect(report).toMatchObject({ totalAmount: 175, totalFees: 5.98, totalNet: 169.02 });
    expect(report.settlements).toHaveLength(3);
    const { messageId } = await expectData(
      on.api.admin.post<{ messageId: string }>('/settlement/funding-report/email', { email: 'books@shop.example', merchantId }),
    );
    const [message] = await expectData(on.api.admin.get<{ messageId: string; to: string; body: string }[]>('/sandbox/messages?limit=1'));
    expect(message).toMatchObject({ messageId, to: 'books@shop.example' });
    expect(message?.body).toContain('Total: 175.00 - 5.98 = 169.02 USD');
    const period = (query: string) => on.api.admin.get(`/settlement/funding-report?${query}`);
    await expectError(period('startDate=2026-02-31'), 400, 'INVALID_DATE', 'startDate');
    await expectError(period('startDate=2026-02-02&endDate=2026-02-01'), 400, 'VALIDATION_ERROR', 'endDate');
    await expectError(on.api.admin.post('/settlement/funding-report/email', { email: 'nobody' }), 400, 'INVALID_EMAIL', 'email');
  });
});
