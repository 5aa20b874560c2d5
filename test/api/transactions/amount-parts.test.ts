import { expect, test } from 'vitest';
import { CARDS, cardBody, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { allowSurcharges, createMerchant, sell, settle } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';

const PARTS = { tipAmount: 10, surchargeAmount: 2, taxAmount: 5 };

interface Ledger {
  merchants: { accounts: Record<string, number> }[];
  balanced: boolean;
}

async function accountsOf({ api }: ApiFixture, merchantId: string): Promise<Record<string, number>> {
  const { merchants, balanced } = await expectData(api.admin.get<Ledger>(`/settlement/ledger?merchantId=${merchantId}`));
  expect(balanced).toBe(true);
  return merchants[0]?.accounts ?? {};
}

const refundOf = ({ api }: ApiFixture, transactionId: string, body: object) =>
  expectData(api.admin.post<RefundRecord>(`/transactions/${transactionId}/refund`, body));

describeOnAnyDatabase('tip, surcharge and tax within an amount', (fixture) => {
  test('are returned by every read of the payment, and posted to accounts of their own', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const sale = await sell(service, merchantId, 100, { ...PARTS, purchaseOrderNumber: 'PO-7' });
    expect(sale).toMatchObject({ amount: 100, ...PARTS, purchaseOrderNumber: 'PO-7' });
    expect(await expectData(service.api.admin.get(`/transactions/${sale.transactionId}`))).toMatchObject(PARTS);
    const [listed] = await expectData(service.api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${merchantId}`));
    expect(listed).toMatchObject(PARTS);
    expect((await service.api.admin.get(`/transactions/export?merchantId=${merchantId}`)).text).toContain(',10.00,2.00,5.00,PO-7,');
    expect(await accountsOf(service, merchantId)).toMatchObject({
      processor: 100,
      unsettled: -100,
      sales: 17,
      tips: -10,
      surcharges: -2,
      taxes: -5,
    });
  });

  test('appear in reports, and tips by the person who made the payment', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const { transactionId, createdBy } = (await sell(service, merchantId, 100, PARTS)) as TransactionRecord & { createdBy: string };
    await sell(service, merchantId, 20);
    await refundOf(service, transactionId, { amount: 50 });
    const people = [{ person: createdBy, count: 1, tips: 10, refunded: 5, net: 5 }];
    expect(await expectData(service.api.admin.get(`/reporting/tips?merchantId=${merchantId}`))).toMatchObject({ total: 5, people });
    const day = await expectData(service.api.admin.get(`/reporting/daily-summary?merchantId=${merchantId}`));
    expect(day).toMatchObject({ tipsAmount: 5, surchargesAmount: 1, taxesAmount: 2.5, tipsByPerson: people });
    const revenue = await expectData(service.api.admin.get(`/analytics/revenue?merchantId=${merchantId}`));
    expect(revenue).toMatchObject({ totals: { tips: 5, surcharges: 1, taxes: 2.5 } });
  });

  test('are accepted in the naming of the Public and SDK surfaces', async () => {
    const { api } = fixture();
    const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    const byKey = await api.public.post('/transaction', {
      Amount: 20,
      TipAmount: 2,
      TaxAmount: '1.50',
      PurchaseOrderNumber: 'PO-8',
      ...card,
    });
    expect(byKey.body).toMatchObject({ success: true, data: { tipAmount: 2, taxAmount: 1.5, purchaseOrderNumber: 'PO-8' } });
    const sdk = { Amount: '20.00', TipAmount: '2.00', CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123' };
    expect((await api.sdk.post('/transaction', sdk)).body).toMatchObject({ success: true, data: { TipAmount: '2.00', TaxAmount: '0.00' } });
    const error = await expectError(api.public.post('/transaction', { Amount: 20, TipAmount: 'x', ...card }), 400, 'INVALID_AMOUNT');
    expect(error.field).toBe('TipAmount');
  });

  test('may not exceed the amount together', async () => {
    const { api } = fixture();
    await expectError(api.admin.post('/transactions', { ...cardBody(20), tipAmount: 15, taxAmount: 5.01 }), 400, 'INVALID_AMOUNT');
    await expectData(api.admin.post('/transactions', { ...cardBody(20), tipAmount: 15, taxAmount: 5 }));
    const none = { tipAmount: 0, surchargeAmount: '0.00', taxAmount: 0 };
    const lineItems = [
      { description: 'Coffee', unitPrice: 20 },
      { description: 'Water', unitPrice: 0 },
    ];
    expect(await expectData(api.admin.post('/transactions', { ...cardBody(20), ...none, lineItems }))).toMatchObject({ tipAmount: 0 });
  });

  test('are refunded in proportion, to the cent, until nothing is left', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const { transactionId } = await sell(service, merchantId, 100, PARTS);
    expect(await refundOf(service, transactionId, { amount: 33.33 })).toMatchObject({
      tipAmount: 3.33,
      surchargeAmount: 0.66,
      taxAmount: 1.66,
    });
    expect(await refundOf(service, transactionId, { amount: 50 })).toMatchObject({ tipAmount: 5, surchargeAmount: 1, taxAmount: 2.5 });
    expect(await refundOf(service, transactionId, {})).toMatchObject({
      amount: 16.67,
      tipAmount: 1.67,
      surchargeAmount: 0.34,
      taxAmount: 0.84,
    });
    expect(await accountsOf(service, merchantId)).toMatchObject({ sales: 0, tips: 0, surcharges: 0, taxes: 0 });
  });

  test('are refunded as the refund names them', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const { transactionId } = await sell(service, merchantId, 100, PARTS);
    expect(await refundOf(service, transactionId, { tipAmount: 4 })).toMatchObject({
      amount: 4,
      tipAmount: 4,
      surchargeAmount: 0,
      taxAmount: 0,
    });
    const refund = service.api.admin.post(`/transactions/${transactionId}/refund`, { amount: 20, tipAmount: 6.01 });
    const error = await expectError(refund, 422, 'INVALID_AMOUNT');
    expect(error.details).toMatchObject({ availableTip: 6, availableBase: 83 });
    expect(await refundOf(service, transactionId, { amount: 96 })).toMatchObject({ tipAmount: 6, surchargeAmount: 2, taxAmount: 5 });
  });

  test('stay with a declined refund that is retried later', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const { transactionId } = await sell(service, merchantId, 100, { ...PARTS, ...cardBody(100, CARDS.refundDeclinedOnce), merchantId });
    const declined = await service.api.admin.post<RefundRecord>(`/transactions/${transactionId}/refund`, { amount: 50 });
    expect(declined.body.data).toMatchObject({ status: 'declined', tipAmount: 5 });
    expect(await refundOf(service, transactionId, {})).toMatchObject({ amount: 50, tipAmount: 5, surchargeAmount: 1, taxAmount: 2.5 });
    await advanceClock(service, 300);
    expect(await accountsOf(service, merchantId)).toMatchObject({ sales: 0, tips: 0, surcharges: 0, taxes: 0 });
  });

  test('of a capture are its own, or its share of the authorization, and come back when the capture is canceled', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const { transactionId } = await sell(service, merchantId, 100, { type: 'auth', ...PARTS });
    const capture = (body: object) => expectData(service.api.admin.post(`/transactions/${transactionId}/capture`, body));
    expect(await capture({ amount: 50 })).toMatchObject({ capturedAmount: 50, tipAmount: 5, surchargeAmount: 1, taxAmount: 2.5 });
    expect(await accountsOf(service, merchantId)).toMatchObject({ tips: -5, surcharges: -1, taxes: -2.5 });
    expect(await expectData(service.api.admin.post(`/transactions/${transactionId}/cancel-capture`))).toMatchObject(PARTS);
    expect(await accountsOf(service, merchantId)).toMatchObject({ sales: 0, tips: 0, surcharges: 0, taxes: 0 });
    expect(await capture({ amount: 90, tipAmount: 20 })).toMatchObject({ tipAmount: 20, surchargeAmount: 0, taxAmount: 0 });
    await expectError(service.api.admin.post(`/transactions/${transactionId}/refund`, { taxAmount: 1 }), 422, 'INVALID_AMOUNT');
    await settle(service, merchantId);
    expect(await accountsOf(service, merchantId)).toMatchObject({ tips: -20, sales: 20 });
    await refundOf(service, transactionId, {});
    expect(await accountsOf(service, merchantId)).toMatchObject({ tips: 0, sales: 0 });
  });
});
