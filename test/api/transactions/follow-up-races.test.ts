import { expect, test } from 'vitest';
import { createCustomerWithCard } from '../../support/customers.ts';
import { createInvoice, type InvoiceRecord } from '../../support/invoices.ts';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, describeOnBothDatabases, expectData, FULL } from '../../support/server.ts';
import { createMerchant, sell, settle } from '../../support/settlements.ts';

const REQUESTS = 10;
const QUEUE = '/refund-decline-queue';

/** Sends ten parallel requests, alternating between the given ways to send them. */
function race(...ways: (() => Promise<Answer<unknown>>)[]): Promise<Answer<unknown>[]> {
  return Promise.all(Array.from({ length: REQUESTS }, (_, index) => (ways[index % ways.length] as (typeof ways)[number])()));
}

const succeeded = (answers: readonly Answer<unknown>[]) => answers.filter(({ status }) => status === 200 || status === 201);

describeOnBothDatabases('operations on existing records that are requested in parallel', (fixture) => {
  test('ten parallel voids and full refunds return an unsettled payment once', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 30);
    const answers = await race(
      () => api.admin.post(`/transactions/${transactionId}/void`),
      () => api.admin.post(`/transactions/${transactionId}/refund`),
      () => api.sdk.post('/void', { TransactionId: transactionId }),
    );
    expect(succeeded(answers)).toHaveLength(1);
    const { status, refundedAmount, reservedAmount, history } = await expectData(
      api.admin.get<TransactionRecord & { reservedAmount: number }>(`/transactions/${transactionId}`),
    );
    expect({ isVoided: status === 'voided', refundedAmount, reservedAmount }).toEqual({
      isVoided: refundedAmount === 0,
      refundedAmount: status === 'voided' ? 0 : 30,
      reservedAmount: 0,
    });
    expect(history.filter(({ action }) => action === 'void' || action === 'refund')).toHaveLength(1);
  });

  test('ten parallel requests resolve a failed refund or refund its amount again, and it counts once', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { refundMaxAttempts: 1 }));
    const paid = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(50, CARDS.refundDeclined, { merchantId })));
    await api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 50 });
    await expectData(api.admin.post(`${QUEUE}/process-retries`));
    const [entry] = await expectData(api.admin.get<{ id: string; status: string }[]>(`${QUEUE}?merchantId=${merchantId}`));
    expect(entry).toMatchObject({ status: 'failed' });
    const answers = await race(
      () => api.admin.post(`${QUEUE}/${entry?.id}/resolve`, { refundMethod: 'check' }),
      () => api.admin.post(`/transactions/${paid.transactionId}/refund`, { amount: 50 }),
    );
    const { status } = await expectData(api.admin.get<{ status: string }>(`${QUEUE}/${entry?.id}`));
    expect(succeeded(answers)).toHaveLength(1);
    const { refundedAmount, reservedAmount } = await expectData(
      api.admin.get<TransactionRecord & { reservedAmount: number }>(`/transactions/${paid.transactionId}`),
    );
    // Either the resolution counts, or the new refund, which is declined again and waits for its retry.
    expect([refundedAmount, reservedAmount]).toEqual(status === 'resolved' ? [50, 0] : [0, 50]);
  });

  test('ten parallel requests replace a queued payment by a link or charge it', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 100 }));
    const [gateway] = await expectData(api.admin.get<{ id: string }[]>(`/merchants/${merchantId}/gateways`));
    const setMode = (mode: string) => expectData(api.admin.post('/sandbox/gateway', { mode, gatewayId: gateway?.id }));
    const { customerId } = await expectData(
      api.admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', email: 'ada@races.example', merchantId }),
      201,
    );
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' };
    await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card, consentText: 'Charge my orders.' }), 201);
    await setMode('down');
    const { queuedPaymentId } = await expectData(
      api.admin.post<{ queuedPaymentId: string }>('/queued-payments', { customerId, amount: 40 }),
      201,
    );
    await setMode('normal');
    await race(
      () => api.admin.post(`/queued-payments/${queuedPaymentId}/link`),
      () => api.admin.post(`/queued-payments/${queuedPaymentId}/release`),
    );
    const ended = () => expectData(api.admin.get<{ status: string; invoiceId: string | null }>(`/queued-payments/${queuedPaymentId}`));
    await expect.poll(async () => (await ended()).status).toMatch(/^(paid|replaced)$/);
    const { status, invoiceId } = await ended();
    const links = await expectData(api.admin.get<InvoiceRecord[]>(`/invoices?merchantId=${merchantId}`));
    const charged = await expectData(api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${merchantId}&status=approved`));
    expect([links.map((link) => link.invoiceId), charged.length]).toEqual(status === 'paid' ? [[], 1] : [[invoiceId], 0]);
  });

  test('ten parallel payouts and batches pay a settlement once, and ten parallel results of the bank return it once', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    await sell(fixture(), merchantId, 100);
    const [settlement] = await settle(fixture(), merchantId);
    const date = settlement?.settlementDate ?? '';
    const generate = () => api.admin.post('/settlement/batch-payouts/generate', { merchantId, startDate: date, endDate: date });
    const paid = await race(() => api.admin.post('/settlement/payout', { merchantId }), generate);
    expect(succeeded(paid)).toHaveLength(1);
    const isInBatch = succeeded(paid)[0]?.text.includes('batchId');

    await sell(fixture(), merchantId, 50);
    await settle(fixture(), merchantId);
    const { batchId } = await expectData(
      api.admin.post<{ batchId: string }>('/settlement/batch-payouts/generate', { merchantId, startDate: date, endDate: date }),
    );
    const results = await race(
      () => api.admin.post(`/settlement/batch-payouts/${batchId}/conclude`, { status: 'failed' }),
      () => api.admin.post(`/settlement/batch-payouts/${batchId}/conclude`, { status: 'paid' }),
    );
    expect(succeeded(results)).toHaveLength(1);
    const { status } = await expectData(api.admin.get<{ status: string }>(`/settlement/batch-payouts/${batchId}`));
    expect(await expectData(api.admin.get(`/settlement/summary?merchantId=${merchantId}`))).toMatchObject({
      settledUnpaid: status === 'failed' ? { count: 1, amount: 48.25 } : { count: 0, amount: 0 },
      // If the first settlement went into a batch, the bank has not decided about it yet.
      inTransit: isInBatch ? { count: 1, amount: 96.8 } : { count: 0, amount: 0 },
    });
    const ledger = await expectData(api.admin.get<{ balanced: boolean }>(`/settlement/ledger?merchantId=${merchantId}`));
    expect(ledger).toMatchObject({ balanced: true });
  });

  test('ten parallel requests create one installment plan of an invoice, and charge its first installment once', FULL, async () => {
    const { api } = fixture();
    const { customerId } = await createCustomerWithCard(fixture());
    const { invoiceId } = await createInvoice(fixture(), customerId);
    const answers = await race(() =>
      api.admin.post('/installment-plans', { invoiceId, count: 2, interval: 'monthly', consentText: 'I agree to two charges.' }),
    );
    expect(succeeded(answers)).toHaveLength(1);
    const invoice = () => expectData(api.admin.get<InvoiceRecord>(`/invoices/${invoiceId}`));
    await expect.poll(async () => (await invoice()).amountPending).toBe(0);
    expect(await invoice()).toMatchObject({ amountPaid: 50, payments: [{ status: 'succeeded', amount: 50 }] });
  });
});
