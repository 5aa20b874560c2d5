import { expect, test } from 'vitest';
import { createOrder, getOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { refundTender, type TenderRecord, takeTender } from '../../support/tenders.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
const DISHES = [
  { description: 'Soup', unitPrice: 8 },
  { description: 'Pasta', unitPrice: 20, taxRate: 10 },
  { description: 'Wine', unitPrice: 40, taxRate: 25, discountAmount: 4 },
  { description: 'Bread', unitPrice: 0 },
];

describeOnBothDatabases('lines of an order', (fixture, inFull) => {
  const createTable = () => createOrder(fixture(), { lineItems: DISHES, name: 'Table 4' });
  const pay = (orderId: string, amount: number, orderLines: readonly number[], more: Record<string, unknown> = {}) =>
    fixture().api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), orderId, orderLines, ...more });
  const restsOf = async (orderId: string) => (await getOrder(fixture(), orderId)).lineItems.map(({ remainingAmount }) => remainingAmount);

  test('pays each line once, with its own tax and discount', async () => {
    const { orderId } = await createTable();
    const wine = await expectData(pay(orderId, 50, [2], { tipAmount: 5 }));
    const soup = await takeTender(fixture(), 8, { orderId, orderLines: [0] });
    const open = await getOrder(fixture(), orderId);
    expect(open).toMatchObject({ status: 'open', amount: 75, remainingAmount: 22 });
    expect(open.lineItems.map(({ remainingAmount, paidBy }) => [remainingAmount, paidBy])).toEqual([
      [0, [soup.tenderId]],
      [22, []],
      [0, [wine.transactionId]],
      [0, []],
    ]);
    expect(open.payments).toMatchObject([
      { lines: [{ line: 2, amount: 45 }], shareAmount: 45, taxAmount: 9, discountAmount: 4 },
      { lines: [{ line: 0, amount: 8 }], shareAmount: 8, taxAmount: 0, discountAmount: 0 },
    ]);
    const error = await expectError(pay(orderId, 8, [0]), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'line_paid', orderId, lines: [0] });
    await expectError(pay(orderId, 22, [1, 2]), 409, 'RESOURCE_CONFLICT');
    await expectData(pay(orderId, 22, []));
    const paid = await getOrder(fixture(), orderId);
    expect(paid).toMatchObject({ status: 'paid', remainingAmount: 0, taxAmount: 11 });
    expect(paid.payments.map(({ taxAmount, lines }) => [taxAmount, lines.length])).toEqual([
      [9, 1],
      [0, 1],
      [2, 0],
    ]);
    expect(await restsOf(orderId)).toEqual([0, 0, 0, 0]);
  });

  test('lets one of ten parallel payments take a line', async () => {
    const lineItems = TEN.map((n) => ({ description: `Dish ${n}`, unitPrice: 10 }));
    const { orderId } = await createOrder(fixture(), { lineItems });
    const answers = await Promise.all(
      TEN.map((n) =>
        n % 2 === 0
          ? pay(orderId, 10, [3])
          : fixture().api.admin.post<TenderRecord>('/tenders', { kind: 'cash', amount: 20, orderId, orderLines: [n, 3] }),
      ),
    );
    const won = answers.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
      expect(status).toBe(409);
      expect((body as { error?: { details: unknown } }).error?.details).toMatchObject({ reason: 'line_paid', lines: [3] });
    }
    const { lineItems: lines, payments } = await getOrder(fixture(), orderId);
    expect(payments).toHaveLength(1);
    expect(lines[3]).toMatchObject({ remainingAmount: 0, paidBy: [payments[0]?.paymentId] });
  });

  test('leaves the rest of a line payable after a part of it was approved', inFull, async () => {
    const { orderId } = await createTable();
    const part = await expectData(pay(orderId, 67, [1, 2], { card: cardBody(1, CARDS.prepaid).card, allowPartialApproval: true }));
    expect(part).toMatchObject({ amount: 30, requestedAmount: 67 });
    expect(await restsOf(orderId)).toEqual([8, 0, 37, 0]);
    const error = await expectError(pay(orderId, 37.01, [2]), 422, 'INVALID_AMOUNT');
    expect(error.details).toMatchObject({ payableAmount: 37, requestedAmount: 37.01 });
    await expectData(pay(orderId, 30, [2]));
    expect(await restsOf(orderId)).toEqual([8, 0, 7, 0]);
    await expectData(pay(orderId, 15, [2, 0]));
    const { status, payments } = await getOrder(fixture(), orderId);
    expect([status, Math.round(payments.reduce((sum, { taxAmount }) => sum + taxAmount, 0) * 100)]).toEqual(['paid', 1_100]);
  });

  test('frees the lines of declined, voided and refunded payments, and keeps those of an unconfirmed one', inFull, async () => {
    const { api } = fixture();
    const { orderId } = await createTable();
    const declined = await pay(orderId, 22, [1], { card: cardBody(1, CARDS.declined).card });
    expect(declined.body).toMatchObject({ data: { status: 'declined' } });
    expect(await restsOf(orderId)).toEqual([8, 22, 45, 0]);
    const { transactionId } = await expectData(pay(orderId, 53, [0, 2]));
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, {}));
    const { lineItems, payments } = await getOrder(fixture(), orderId);
    expect(lineItems.map(({ paidBy }) => paidBy)).toEqual([[], [], [], []]);
    expect(payments.map(({ lines }) => lines)).toEqual([[], []]);
    const cash = await takeTender(fixture(), 30, { orderId, orderLines: [0, 1] });
    await expectData(refundTender(fixture(), cash.tenderId, { amount: 5 }), 201);
    expect(await restsOf(orderId)).toEqual([0, 5, 45, 0]);
    const lost = await expectError(pay(orderId, 45, [2], { card: cardBody(1, CARDS.answerLost).card }), 502, 'GATEWAY_TIMEOUT');
    await expectError(pay(orderId, 5, [2]), 409, 'RESOURCE_CONFLICT');
    await waitUntilConcluded(fixture(), String(lost.details?.transactionId));
    await expectData(pay(orderId, 5, [1]));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', paidAmount: 75 });
  });

  test('claims the lines of a declined payment again in its rerun', inFull, async () => {
    const { api } = fixture();
    const { orderId } = await createTable();
    const declined = await pay(orderId, 22, [1], { card: cardBody(1, CARDS.declined).card });
    const { transactionId } = (declined.body as { data: TransactionRecord }).data;
    await takeTender(fixture(), 22, { orderId, orderLines: [1] });
    const error = await expectError(api.admin.post(`/transactions/${transactionId}/rerun`, {}), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'line_paid', lines: [1] });
  });

  test('refuses lines that the order does not have, and lines without an order', inFull, async () => {
    const { orderId } = await createTable();
    for (const orderLines of [[4], [-1], [0.5], ['0'], Array.from({ length: 201 }, () => 1)])
      await expectError(pay(orderId, 8, orderLines as number[]), 400, 'VALIDATION_ERROR');
    await expectError(pay('shop-7', 8, [0]), 400, 'VALIDATION_ERROR');
    const tender = { kind: 'cash', amount: 8, orderLines: [0] };
    await expectError(fixture().api.admin.post('/tenders', tender), 400, 'VALIDATION_ERROR');
    const body = { Amount: 8, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2030', OrderId: orderId, OrderLines: [9] };
    await expectError(fixture().api.public.post('/transaction', body), 400, 'VALIDATION_ERROR');
    expect(await getOrder(fixture(), orderId)).toMatchObject({ payments: [] });
  });
});
