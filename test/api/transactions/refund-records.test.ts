import { expect, test } from 'vitest';
import { CARDS, cardBody, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';

type Shown = RefundRecord & { errorCode: string | null };

const paidBy = ({ api }: ApiFixture, number: string) =>
  expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(30, number)));

describeOnAnyDatabase('the record of a refund', (fixture) => {
  test('returns REFUND_DECLINED on every surface while a refund is declined', async () => {
    const service = fixture();
    const { api } = service;
    const { transactionId } = await paidBy(service, CARDS.refundDeclined);
    const admin = await api.admin.post<Shown>(`/transactions/${transactionId}/refund`, { amount: 1 });
    expect(admin.body).toMatchObject({ success: false, data: { status: 'declined', errorCode: 'REFUND_DECLINED' } });
    const byKey = await api.public.post<Shown>('/refund', { transactionId, amount: 2 });
    expect(byKey.body).toMatchObject({ success: false, data: { status: 'declined', errorCode: 'REFUND_DECLINED' } });
    const sdk = await api.sdk.post('/refund', { TransactionId: transactionId, Amount: '3.00' });
    expect(sdk.body).toMatchObject({ success: false, data: { Status: 'declined', ErrorCode: 'REFUND_DECLINED' } });
    expect(await expectData(api.admin.get(`/refunds/${admin.body.data.refundId}`))).toMatchObject({ errorCode: 'REFUND_DECLINED' });
    const listed = await expectData(api.admin.get<Shown[]>(`/refunds?transactionId=${transactionId}`));
    expect(listed.map(({ errorCode }) => errorCode)).toEqual(['REFUND_DECLINED', 'REFUND_DECLINED', 'REFUND_DECLINED']);
  });

  test('returns no error code once a retry of the refund is approved', async () => {
    const service = fixture();
    const { transactionId } = await paidBy(service, CARDS.refundDeclinedOnce);
    const { body } = await service.api.admin.post<Shown>(`/transactions/${transactionId}/refund`);
    expect(body.data.errorCode).toBe('REFUND_DECLINED');
    await advanceClock(service, 300);
    expect(await expectData(service.api.admin.get(`/refunds/${body.data.refundId}`))).toMatchObject({
      status: 'approved',
      errorCode: null,
    });
  });
});
