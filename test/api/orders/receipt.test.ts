import { expect, test } from 'vitest';
import { createOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';

const PRINT = '/notifications/receipt/print';

describeOnAnyDatabase('the receipt of an order', (fixture) => {
  const pay = (orderId: string, amount: number, more: Record<string, unknown> = {}) =>
    expectData(fixture().api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), orderId, ...more }));
  const print = (orderId: string, more: Record<string, unknown> = {}) =>
    expectData(
      fixture().api.admin.post<{ content: string; isDuplicate: boolean }>(PRINT, { orderId, format: 'text', width: '80mm', ...more }),
    );
  /** Creates an order of 92.01 that a card with a tip and cash pay; a voided and a declined card are no part of it. */
  async function paidOrder() {
    const lineItems = [
      { description: 'Repair', unitPrice: 80.01, taxRate: 8.25, discountAmount: 5 },
      { description: 'Cable', quantity: 3, unitPrice: 3.33, taxRate: 8.25 },
    ];
    const { orderId, number } = await createOrder(fixture(), { lineItems });
    await fixture().api.admin.post('/transactions', { ...cardBody(20, CARDS.declined), orderId });
    const voided = await pay(orderId, 21, { tipAmount: 1 });
    await expectData(fixture().api.admin.post(`/transactions/${voided.transactionId}/void`, {}));
    const card = await pay(orderId, 54, { tipAmount: 4 });
    const cash = await takeTender(fixture(), 42.01, { orderId });
    return { orderId, number, card, cash };
  }

  test('lists the lines and the total once, and every payment with its approval', async () => {
    const { orderId, number, card, cash } = await paidOrder();
    const { content } = await print(orderId);
    for (const part of ['SANDBOX', number, 'Repair', 'Cable, 3', 'Customer copy']) expect(content).toContain(part);
    expect(content).toMatch(/Tip +4\.00 USD/);
    expect(content).toMatch(/Sales tax +7\.01 USD/);
    expect(content).toMatch(/Total +96\.01 USD/);
    expect(content).toMatch(new RegExp(`Visa \\*\\*\\*\\*1111, ${card.authCode} +54\\.00 USD`));
    expect(content).toMatch(new RegExp(`Cash, ${cash.number} +42\\.01 USD`));
    expect(content).not.toMatch(/21\.00|Amount due/);
    expect(content.match(/Visa/g)).toHaveLength(1);
  });

  test('shows refunds and what remains to be paid', async () => {
    const { orderId, card, cash } = await paidOrder();
    await expectData(fixture().api.admin.post(`/transactions/${card.transactionId}/refund`, { amount: 10 }));
    await expectData(refundTender(fixture(), cash.tenderId, { amount: 2 }), 201);
    const { content } = await print(orderId);
    expect(content).toMatch(/Refunded +-10\.00 USD\n.*Cash.*42\.01 USD\nRefunded +-2\.00 USD/);
    const open = await createOrder(fixture(), { amount: 50 });
    await pay(open.orderId, 20);
    expect((await print(open.orderId)).content).toMatch(/Total +50\.00 USD[\s\S]*20\.00 USD\nAmount due +30\.00 USD/);
  });

  test('is marked as a duplicate from the second print on, and has the language of the merchant', async () => {
    const { orderId } = await paidOrder();
    expect((await print(orderId, { preview: true })).isDuplicate).toBe(false);
    expect((await print(orderId)).isDuplicate).toBe(false);
    expect((await print(orderId)).content).toContain('*** DUPLICATE ***');
    const merchantId = await createMerchant(fixture());
    await expectData(fixture().api.admin.put(`/merchants/${merchantId}/settings`, { language: 'es' }));
    const spanish = await createOrder(fixture(), { amount: 30, merchantId });
    await expectData(fixture().api.admin.post('/tenders', { kind: 'cash', amount: 30, orderId: spanish.orderId, merchantId }), 201);
    expect((await print(spanish.orderId)).content).toMatch(/Venta[\s\S]*Efectivo, T-\d+ +30[.,]00 USD/);
  });

  test('is sent by email and text message, and returned as a PDF', async () => {
    const { api } = fixture();
    const { orderId, number } = await paidOrder();
    const { messageId } = await expectData(
      api.admin.post<{ messageId: string }>('/notifications/receipt/email', { orderId, email: 'ann@shop.example' }),
    );
    const sent = await expectData(api.admin.get<{ body: string; to: string }>(`/notifications/messages/${messageId}`));
    expect(sent).toMatchObject({ to: 'ann@shop.example', body: expect.stringContaining(number) });
    await expectError(api.admin.post('/notifications/receipt/email', { orderId }), 400, 'REQUIRED_FIELD_MISSING', 'email');
    const text = await expectData(api.admin.post<{ messageId: string }>('/notifications/receipt/sms', { orderId, phone: '+14155550100' }));
    const message = await expectData(api.admin.get<{ body: string }>(`/notifications/messages/${text.messageId}`));
    expect(message.body).toContain('96.01 USD by Visa ****1111, Cash');
    const pdf = await api.admin.get(`/notifications/receipts/${orderId}/pdf`);
    expect([pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
  });

  test('belongs to paid orders of the own merchants only', async () => {
    const { orderId } = await createOrder(fixture(), { amount: 20 });
    await expectError(fixture().api.admin.post(PRINT, { orderId }), 409, 'RESOURCE_CONFLICT');
    const other = await createMerchant(fixture());
    const manager = await createUser(fixture(), 'manager', {}, other);
    await pay(orderId, 20);
    await expectError(fixture().api.bare.post(`/api/v1${PRINT}`, { orderId }, manager.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
  });
});
