import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type PaymentOnReader, pairReader, present, readPayment, saleOn, startSale, type TerminalRecord } from '../../support/readers.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { allowSurcharges, createMerchant } from '../../support/settlements.ts';

const DEBIT = '4000056655665556';
const PREPAID = '5105105105105100';

describeOnAnyDatabase('amounts of payments on card readers', (fixture) => {
  const settings = (path: string, value: object) => {
    const { api, credentials } = fixture();
    return expectData(api.admin.put(`/merchants/${credentials.merchantId}/${path}`, value));
  };
  const withSettings = async (path: string, value: object, run: () => Promise<void>) => {
    const { api, credentials } = fixture();
    const before = await expectData(api.admin.get<Record<string, unknown>>(`/merchants/${credentials.merchantId}/${path}`));
    await settings(path, value);
    try {
      await run();
    } finally {
      await settings(path, Object.fromEntries(Object.keys(value).map((name) => [name, before[name]])));
    }
  };

  test('a tip chosen on the reader is shown before the card, and is part of the amount that is charged, captured and refunded', async () => {
    const service = fixture();
    const { terminalId, ...paired } = await pairReader(service, { asksTip: true });
    expect(paired).toMatchObject({ asksTip: true });
    const { transactionId, terminal } = await startSale(service, terminalId, 40);
    expect(terminal).toMatchObject({ state: 'choosing_tip', asksTip: true, tipAmount: null, requestedAmount: 40 });
    expect(await present(service, terminalId, 'tip', { tipAmount: 8 })).toMatchObject({ dialog: { amount: 48, tipAmount: 8 } });
    expect(await readPayment(service, transactionId)).toMatchObject({
      status: 'pending',
      amount: 40,
      terminal: { state: 'waiting_for_card', tipAmount: 8 },
    });
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, transactionId)).toMatchObject({
      status: 'approved',
      amount: 48,
      tipAmount: 8,
      capturedAmount: 48,
      terminal: { tipAmount: 8, requestedAmount: 40 },
    });
    const printed = { transactionId, format: 'text', preview: true };
    const { content } = await expectData(service.api.admin.post<{ content: string }>('/notifications/receipt/print', printed));
    expect(content).toMatch(/Tip +8\.00 USD/);
    expect(content).toMatch(/Total +48\.00 USD/);
    const refund = await expectData(service.api.admin.post(`/transactions/${transactionId}/refund`, {}));
    expect(refund).toMatchObject({ status: 'approved', amount: 48, tipAmount: 8 });
  });

  test('an authorization with a tip is captured with it, and a customer may choose none', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const auth = await startSale(service, terminalId, 20, { type: 'auth', askTip: true });
    await present(service, terminalId, 'tip', { tipAmount: '3.50' });
    await present(service, terminalId, 'contactless');
    const captured = await expectData(service.api.admin.post(`/transactions/${auth.transactionId}/capture`));
    expect(captured).toMatchObject({ amount: 23.5, capturedAmount: 23.5, tipAmount: 3.5 });
    const sale = await startSale(service, terminalId, 20, { askTip: true });
    await present(service, terminalId, 'no_tip');
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, sale.transactionId)).toMatchObject({ amount: 20, tipAmount: 0, terminal: { tipAmount: 0 } });
  });

  test('the request decides over the setting of the reader, and a payment with a tip is not asked for one', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service, { asksTip: true });
    const unasked = await startSale(service, terminalId, 20, { askTip: false });
    expect(unasked.terminal).toMatchObject({ state: 'waiting_for_card', asksTip: false });
    await present(service, terminalId, 'chip');
    const tipped = await startSale(service, terminalId, 23, { tipAmount: 3 });
    expect(tipped.terminal).toMatchObject({ asksTip: false });
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, tipped.transactionId)).toMatchObject({ amount: 23, tipAmount: 3, terminal: { tipAmount: null } });
    await expectError(
      service.api.admin.post('/transactions', saleOn(terminalId, 23, { tipAmount: 3, askTip: true })),
      400,
      'VALIDATION_ERROR',
      'askTip',
    );
    const changed = await expectData(service.api.admin.put<TerminalRecord>(`/terminals/${terminalId}`, { asksTip: false }));
    expect(changed).toMatchObject({ asksTip: false });
    expect((await startSale(service, terminalId)).terminal).toMatchObject({ asksTip: false });
  });

  test('no tip is above the approval rules or the limit of a payment', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const first = await startSale(service, terminalId, 20, { askTip: true });
    expect(await present(service, terminalId, 'tip', { tipAmount: 20.01 })).toMatchObject({ dialog: { note: 'tip_too_high', amount: 20 } });
    await present(service, terminalId, 'tip', { tipAmount: 20 });
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, first.transactionId)).toMatchObject({ amount: 40, tipAmount: 20 });
    await withSettings('fraud-settings', { maxAmount: 50 }, async () => {
      await startSale(service, terminalId, 45, { askTip: true });
      expect(await present(service, terminalId, 'tip', { tipAmount: 5.01 })).toMatchObject({ dialog: { note: 'tip_too_high' } });
      await present(service, terminalId, 'cancel');
      const full = await startSale(service, terminalId, 50, { askTip: true });
      expect(full.terminal).toMatchObject({ state: 'waiting_for_card', asksTip: false });
      await present(service, terminalId, 'cancel');
    });
  });

  test('a key with spending limits states its amounts, so the reader adds nothing to them', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service, { asksTip: true });
    const { api, baseUrl, credentials } = service;
    const { merchantId, tenantId } = credentials;
    const limits = { spendingLimits: { currency: 'USD', perPayment: 30 }, currentPassword: api.adminPassword };
    const { key } = await expectData(
      api.admin.post<{ key: string }>('/api-keys', { name: 'limited', scope: 'merchant', merchantId, ...limits }),
      201,
    );
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': key }));
    const body = { Amount: '30.00', SuggestedMode: 'Terminal', TerminalId: terminalId };
    const sale = await expectData(asKey.post<PaymentOnReader>('/transaction', body), 202);
    expect(sale.terminal).toMatchObject({ state: 'waiting_for_card', asksTip: false });
    await present(service, terminalId, 'chip');
    const asked = asKey.post('/transaction', { ...body, AskTip: true });
    await expectError(asked, 400, 'VALIDATION_ERROR', 'AskTip');
  });

  test('a surcharge is added to a credit card, and never to a debit or prepaid card', async () => {
    const service = fixture();
    const unsurcharged = await pairReader(service);
    const refused = service.api.admin.post('/transactions', saleOn(unsurcharged.terminalId, 100, { addSurcharge: true }));
    await expectError(refused, 422, 'INVALID_AMOUNT', 'addSurcharge');
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const { terminalId } = await pairReader(service, { merchantId });
    const quoteOn = (id: string) =>
      expectData(
        service.api.admin.post<Record<string, unknown>>('/transactions/surcharge-quote', {
          amount: 110,
          tipAmount: 10,
          terminalId: id,
          merchantId,
        }),
      );
    expect(await quoteOn(terminalId)).toMatchObject({
      surchargeAllowed: true,
      surchargePercent: 2.9,
      totalAmount: 112.9,
      cardFunding: null,
    });
    await expectError(
      service.api.admin.post('/transactions/surcharge-quote', { amount: 100, terminalId: unsurcharged.terminalId, merchantId }),
      400,
      'VALIDATION_ERROR',
    );
    const credit = await startSale(service, terminalId, 100, { addSurcharge: true, askTip: true });
    await present(service, terminalId, 'tip', { tipAmount: 10 });
    await present(service, terminalId, 'chip', CARDS.visa);
    // The surcharge of 2.9 % is computed without the tip.
    expect(await readPayment(service, credit.transactionId)).toMatchObject({
      status: 'approved',
      amount: 112.9,
      tipAmount: 10,
      surchargeAmount: 2.9,
      terminal: { cardFunding: 'credit', requestedAmount: 100 },
    });
    for (const [card, cardFunding] of [
      [DEBIT, 'debit'],
      [PREPAID, 'prepaid'],
    ] as const) {
      const { transactionId } = await startSale(service, terminalId, 100, { addSurcharge: true });
      await present(service, terminalId, 'chip', card);
      expect(await readPayment(service, transactionId)).toMatchObject({
        status: 'approved',
        amount: 100,
        surchargeAmount: 0,
        terminal: { cardFunding },
      });
    }
  });

  test('a part of the amount is approved only if the payment allows it; otherwise it is voided', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const allowed = await startSale(service, terminalId, 60, { allowPartialApproval: true, taxAmount: 6 });
    await present(service, terminalId, 'part');
    expect(await readPayment(service, allowed.transactionId)).toMatchObject({
      status: 'approved',
      amount: 30,
      capturedAmount: 30,
      taxAmount: 3,
      terminal: { requestedAmount: 60 },
    });
    const refused = await startSale(service, terminalId, 60);
    await present(service, terminalId, 'part');
    const declined = await readPayment(service, refused.transactionId);
    expect(declined).toMatchObject({ status: 'declined', amount: 60, captured: false });
    const { history } = await expectData(
      service.api.admin.get<{ history: { action: string; result: string }[] }>(`/transactions/${refused.transactionId}`),
    );
    expect(history).toContainEqual(expect.objectContaining({ action: 'void', result: 'approved' }));
  });

  test('an amount that nobody asked for stays unconfirmed, for a person', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await startSale(service, terminalId, 61);
    await present(service, terminalId, 'other_amount');
    expect(await readPayment(service, transactionId)).toMatchObject({ status: 'pending', terminal: { state: 'unconfirmed' } });
  });
});
