import { expect, test } from 'vitest';
import { CARDS, cardBody, createSale, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

describeOnAnyDatabase('operations on a transaction', (fixture) => {
  const perform = (id: string, operation: string, body?: unknown) =>
    fixture().api.admin.post<TransactionRecord>(`/transactions/${id}/${operation}`, body);
  const auth = () => createSale(fixture(), 30, { type: 'auth' });

  test('captures an authorization in full, once', async () => {
    const { transactionId } = await auth();
    expect(await expectData(perform(transactionId, 'capture'))).toMatchObject({ captured: true, capturedAmount: 30, status: 'approved' });
    await expectError(perform(transactionId, 'capture'), 409, 'ALREADY_CAPTURED');
    await expectError(perform((await createSale(fixture())).transactionId, 'capture'), 409, 'ALREADY_CAPTURED');
  });

  test('returns when an open authorization expires, and nothing once it is captured', async () => {
    const { transactionId } = await auth();
    const read = () =>
      expectData(fixture().api.admin.get<{ createdAt: string; authorizationExpiresAt: string | null }>(`/transactions/${transactionId}`));
    const { createdAt, authorizationExpiresAt } = await read();
    expect(Date.parse(authorizationExpiresAt ?? '') - Date.parse(createdAt)).toBeGreaterThanOrEqual(7 * 86_400_000);
    await expectData(perform(transactionId, 'capture'));
    expect((await read()).authorizationExpiresAt).toBeNull();
  });

  test('captures a part, and never more than was authorized', async () => {
    const { transactionId } = await auth();
    await expectError(perform(transactionId, 'capture', { amount: 30.01 }), 422, 'INVALID_AMOUNT', 'amount');
    expect(await expectData(perform(transactionId, 'capture', { amount: 12.34 }))).toMatchObject({ capturedAmount: 12.34 });
    await expectError(fixture().api.admin.post(`/transactions/${transactionId}/refund`, { amount: 12.35 }), 422, 'INVALID_AMOUNT');
  });

  test('cancels an existing capture, which reopens the authorization', async () => {
    const { transactionId } = await auth();
    await expectError(perform(transactionId, 'cancel-capture'), 409, 'RESOURCE_CONFLICT');
    await expectData(perform(transactionId, 'capture'));
    expect(await expectData(perform(transactionId, 'cancel-capture'))).toMatchObject({
      captured: false,
      capturedAmount: 0,
      status: 'approved',
    });
    expect(await expectData(perform(transactionId, 'capture'))).toMatchObject({ captured: true });
    await expectError(perform((await createSale(fixture())).transactionId, 'cancel-capture'), 409, 'RESOURCE_CONFLICT');
  });

  test('voids once with a reason, and refuses later operations', async () => {
    const { transactionId } = await createSale(fixture());
    expect(await expectData(perform(transactionId, 'void', { reason: 'keyed twice' }))).toMatchObject({
      status: 'voided',
      voidReason: 'keyed twice',
    });
    await expectError(perform(transactionId, 'void'), 409, 'ALREADY_VOIDED');
    await expectError(perform(transactionId, 'capture'), 409, 'ALREADY_VOIDED');
    const error = await expectError(perform(transactionId, 'refund'), 422, 'NOT_REFUNDABLE');
    expect(error.details).toMatchObject({ reason: 'voided' });
  });

  test('refuses to void a refunded sale, with the reason', async () => {
    const { transactionId } = await createSale(fixture());
    await expectData(perform(transactionId, 'refund', { amount: 1 }));
    expect((await expectError(perform(transactionId, 'void'), 409, 'RESOURCE_CONFLICT')).details).toMatchObject({ reason: 'refunded' });
  });

  test('allows partial refunds up to the amount of the sale', async () => {
    const { transactionId } = await createSale(fixture(), 30);
    const partly = (amount?: number) =>
      fixture().api.admin.post<RefundRecord>(`/transactions/${transactionId}/refund/partial`, { amount, reason: 'returned' });
    await expectError(partly(), 400, 'REQUIRED_FIELD_MISSING', 'amount');
    expect(await expectData(partly(10))).toMatchObject({ status: 'approved', amount: 10, remainingAmount: 20, type: 'partial' });
    expect(await expectData(partly(10))).toMatchObject({ remainingAmount: 10 });
    const error = await expectError(partly(11), 422, 'INVALID_AMOUNT', 'amount');
    expect(error.details).toEqual({ originalAmount: 30, refundedAmount: 20, availableToRefund: 10, requestedAmount: 11 });
    expect(await expectData(fixture().api.admin.post<RefundRecord>(`/transactions/${transactionId}/refund`))).toMatchObject({
      amount: 10,
      remainingAmount: 0,
    });
    await expectError(partly(1), 409, 'ALREADY_REFUNDED');
    const record = await expectData(fixture().api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
    expect(record).toMatchObject({ status: 'approved', refundStatus: 'full', refundedAmount: 30, reservedAmount: 0 });
    expect(record.history.map(({ action }) => action)).toEqual(['sale', 'refund', 'refund', 'refund']);
  });

  test('gives the reason if a refund is not possible', async () => {
    const { api } = fixture();
    const declined = (await api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.declined))).body.data;
    expect((await expectError(perform(declined.transactionId, 'refund'), 422, 'NOT_REFUNDABLE')).details).toMatchObject({
      reason: 'declined',
    });
    expect((await expectError(perform((await auth()).transactionId, 'refund'), 422, 'NOT_REFUNDABLE')).details).toMatchObject({
      reason: 'not_captured',
    });
    const unknown = await expectError(api.public.post('/refund', { transactionId: 'txn_unknown' }), 404, 'NOT_FOUND');
    expect(unknown.details).toEqual({ transactionId: 'txn_unknown' });
    await expectError(perform('txn_unknown', 'void'), 404, 'TRANSACTION_NOT_FOUND');
    await expectError(perform(declined.transactionId, 'capture'), 422, 'TRANSACTION_DECLINED');
    await expectError(perform(declined.transactionId, 'void'), 422, 'TRANSACTION_DECLINED');
  });

  test('reports a refund that the gateway declines, and reserves the amount for the retry', async () => {
    const { api } = fixture();
    const made = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.refundDeclined)));
    const { status, body } = await api.admin.post<RefundRecord>(`/transactions/${made.transactionId}/refund`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, data: { status: 'declined', declineCode: 'R29' } });
    expect(await expectData(api.admin.get<RefundRecord>(`/refunds/${body.data.refundId}`))).toMatchObject({ status: 'declined' });
    expect(body.data).toMatchObject({ queuedForRetry: true, remainingAmount: 0 });
    const again = await api.admin.post(`/transactions/${made.transactionId}/refund`);
    expect(again.status).toBe(422);
    expect(again.body).toMatchObject({ error: { code: 'INVALID_AMOUNT', details: { availableToRefund: 0 } } });
  });

  test('pays a credit independently of the sale and its amount', async () => {
    const { transactionId } = await createSale(fixture(), 30);
    expect(await expectData(perform(transactionId, 'credit', { amount: 45 }))).toMatchObject({
      type: 'credit',
      amount: 45,
      captured: false,
      status: 'approved',
    });
    await expectError(perform(transactionId, 'credit', {}), 400, 'REQUIRED_FIELD_MISSING', 'amount');
    expect(await expectData(fixture().api.admin.get<TransactionRecord>(`/transactions/${transactionId}`))).toMatchObject({
      refundedAmount: 0,
    });
  });

  test('reruns a declined transaction with its stored card, and refuses an approved one', async () => {
    const declined = (await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.noFunds))).body.data;
    const again = (await perform(declined.transactionId, 'rerun')).body.data;
    expect(again).toMatchObject({ status: 'declined', rerunOf: declined.transactionId, card: { last4: '9995' }, cvvResponse: null });
    await expectError(perform((await createSale(fixture())).transactionId, 'rerun'), 409, 'RESOURCE_CONFLICT');
  });

  test('offers the same operations on the Public and SDK surfaces', async () => {
    const { api } = fixture();
    const first = await createSale(fixture());
    expect(await expectData(api.public.post<RefundRecord>('/refund', { transactionId: first.transactionId, amount: '10' }))).toMatchObject({
      amount: 10,
    });
    const second = await createSale(fixture());
    expect(await expectData(api.public.post<TransactionRecord>('/void', { transactionId: second.transactionId }))).toMatchObject({
      status: 'voided',
    });
    const { transactionId: TransactionId } = await auth();
    expect(await expectData(api.sdk.post('/capture', { TransactionId, Amount: '20.00' }))).toMatchObject({ CapturedAmount: '20.00' });
    expect(await expectData(api.sdk.post('/cancel-capture', { TransactionId }))).toMatchObject({ Captured: false });
    expect(await expectData(api.sdk.post('/void', { TransactionId }))).toMatchObject({ Status: 'voided' });
    const third = await createSale(fixture());
    expect(await expectData(api.sdk.post('/refund', { TransactionId: third.transactionId, Amount: '1.00' }))).toMatchObject({
      Amount: '1.00',
      RemainingAmount: '29.00',
    });
    expect(await expectData(api.sdk.post('/credit', { TransactionId: third.transactionId, Amount: '5.00' }))).toMatchObject({
      Type: 'credit',
    });
    const refused = await expectError(
      api.sdk.post('/refund', { TransactionId: third.transactionId, Amount: '5000' }),
      422,
      'INVALID_AMOUNT',
      'Amount',
    );
    expect(refused.details).toEqual({
      OriginalAmount: expect.stringMatching(/^\d+\.\d\d$/),
      RefundedAmount: '1.00',
      AvailableToRefund: expect.stringMatching(/^\d+\.\d\d$/),
      RequestedAmount: '5000.00',
    });
    const unknown = await expectError(api.sdk.post('/refund', { TransactionId: 'txn_unknown' }), 404, 'NOT_FOUND');
    expect(unknown.details).toEqual({ TransactionId: 'txn_unknown' });
    await expectError(api.sdk.post('/refund', {}), 400, 'REQUIRED_FIELD_MISSING', 'TransactionId');
  });
});
