import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, getInvoice } from '../../support/invoices.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { allowSurcharges, createMerchant, sell } from '../../support/settlements.ts';

const DEBIT = '4000056655665556';
const PREPAID = '5105105105105100';
const UNKNOWN = '4012888888881881';
const QUOTE = '/transactions/surcharge-quote';

interface Quote {
  readonly surchargePercent: number;
  readonly surchargeAmount: number;
  readonly totalAmount: number;
  readonly reason: string | null;
}

describeOnAnyDatabase('surcharge by the rule of the merchant', (fixture) => {
  test('is quoted by first digits, token or customer, and charged as quoted', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const sale = { amount: 100, tipAmount: 10, taxAmount: 5, merchantId };
    const quote = await expectData(admin.post<Quote>(QUOTE, { ...sale, firstDigits: '41111111' }));
    // 2.9 % is the card fee of the merchant; the tip has no surcharge.
    expect(quote).toEqual({
      surchargeAllowed: true,
      surchargePercent: 2.9,
      amount: 100,
      surchargeAmount: 2.61,
      totalAmount: 102.61,
      currency: 'USD',
      cardFunding: 'credit',
      reason: null,
      message: null,
    });
    const charged = { ...sale, amount: quote.totalAmount, surchargeAmount: quote.surchargeAmount };
    const paid = await expectData(admin.post<TransactionRecord & { token: string }>('/transactions', { ...cardBody(1), ...charged }));
    expect(paid).toMatchObject({ amount: 102.61, surchargeAmount: 2.61, tipAmount: 10, taxAmount: 5 });
    const { customerId } = await expectData(admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', merchantId }), 201);
    const stored = { card: cardBody(1, DEBIT).card, consentText: 'Yes.' };
    const { token } = await expectData(admin.post<{ token: string }>(`/customers/${customerId}/payment-methods`, stored), 201);
    for (const way of [{ token }, { customerId }])
      expect(await expectData(admin.post<Quote>(QUOTE, { ...sale, ...way }))).toMatchObject({ totalAmount: 100, reason: 'debit_card' });
    await expectError(admin.post(QUOTE, sale), 400, 'REQUIRED_FIELD_MISSING');
    await expectError(admin.post(QUOTE, { ...sale, firstDigits: '4111111111111111' }), 400, 'VALIDATION_ERROR');
  });

  test('refuses a higher surcharge, and any on other cards, bank accounts and payers whose state forbids it', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const charge = (more: object) =>
      service.api.admin.post('/transactions', { ...cardBody(102.9), merchantId, surchargeAmount: 2.9, ...more });
    const bank = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };
    const above = await expectError(charge({ surchargeAmount: 2.91 }), 422, 'INVALID_AMOUNT');
    expect(above).toMatchObject({
      field: 'surchargeAmount',
      details: { reason: 'above_limit', surchargePercent: 2.9, allowedSurcharge: 2.89 },
    });
    for (const [more, reason] of [
      [cardBody(102.9, DEBIT), 'debit_card'],
      [cardBody(102.9, PREPAID), 'prepaid_card'],
      [cardBody(102.9, UNKNOWN), 'card_type_unknown'],
      [{ paymentMethod: 'ach', card: undefined, bankAccount: bank }, 'bank_account'],
      [{ billing: { zip: '04101' } }, 'payer_state'],
    ] as const) {
      expect((await expectError(charge({ ...more, merchantId, surchargeAmount: 2.9 }), 422, 'INVALID_AMOUNT')).details?.reason).toBe(
        reason,
      );
    }
    await expectData(charge({ billing: { zip: '04101' }, source: 'swiped' }));
    await expectData(service.api.admin.put(`/merchants/${merchantId}`, { state: 'Maine' }));
    expect((await expectError(charge({}), 422, 'INVALID_AMOUNT')).details?.reason).toBe('merchant_state');
  });

  test('is refused without a rule, unless programs may decide within the limits', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service, { state: 'NH' });
    const charge = () => admin.post('/transactions', { ...cardBody(102, UNKNOWN), merchantId, surchargeAmount: 2 });
    expect((await expectError(charge(), 422, 'INVALID_AMOUNT')).details?.reason).toBe('no_rule');
    await expectData(admin.put(`/merchants/${merchantId}/amount-settings`, { surchargeCheck: 'limits' }));
    await expectData(charge());
    await expectError(admin.put(`/merchants/${merchantId}/amount-settings`, { surchargePercent: 4.1 }), 400, 'VALIDATION_ERROR');
  });

  test('changes with the amount of an authorization, but never above the share that the payer agreed to', async () => {
    const service = fixture();
    const { admin } = service.api;
    const merchantId = await createMerchant(service);
    await allowSurcharges(service, merchantId);
    const parts = { tipAmount: 10, surchargeAmount: 2 };
    const { transactionId } = await sell(service, merchantId, 112, { type: 'auth', ...parts });
    const change = (operation: string, body: object) => admin.post(`/transactions/${transactionId}/${operation}`, body);
    expect(await expectData(change('adjust', { amount: 214 }))).toMatchObject({ tipAmount: 10, surchargeAmount: 4 });
    expect(await expectData(change('tip', { tipAmount: 20 }))).toMatchObject({ amount: 224, surchargeAmount: 4 });
    const above = await expectError(change('adjust', { amount: 326, tipAmount: 20, surchargeAmount: 6.01 }), 422, 'INVALID_AMOUNT');
    expect(above.details).toMatchObject({ reason: 'above_agreed', allowedSurcharge: 6 });
    await expectError(change('capture', { amount: 100, surchargeAmount: 3 }), 422, 'INVALID_AMOUNT');
    expect(await expectData(change('capture', { amount: 56 }))).toMatchObject({ tipAmount: 5, surchargeAmount: 1 });
  });

  test('recognizes cards by the ranges of the acquirer, of which the longest counts', async () => {
    const { api, credentials } = fixture();
    await allowSurcharges(fixture(), credentials.merchantId);
    const importFile = (csv: string) => {
      const form = new FormData();
      form.set('file', new Blob([csv]), 'ranges.csv');
      return api.admin.post('/card-ranges/import', form);
    };
    const fundingOf = async (firstDigits: string) =>
      (await expectData(api.admin.post<{ cardFunding: string }>(QUOTE, { amount: 10, firstDigits }))).cardFunding;
    const file = 'BIN;Bank;Type\n401288;First;CREDIT\n40128888;Second;debit\n411111;Third;prepaid\n';
    const [one, other] = await Promise.all([importFile(file), importFile(file)]);
    expect([one?.body.data, other?.body.data]).toEqual(Array(2).fill({ credit: 1, debit: 1, prepaid: 1 }));
    expect(await Promise.all(['40128812', '401288', '40128888', '41111111'].map(fundingOf))).toEqual([
      'credit',
      'credit',
      'debit',
      'prepaid',
    ]);
    for (const wrong of [
      '',
      'bin\n401288\n',
      'bin,type\n4012888888881881,credit\n',
      'bin,type\n401288,charge\n',
      `${file}401288;x;debit\n`,
    ])
      expect((await expectError(importFile(wrong), 400, 'VALIDATION_ERROR')).message).not.toContain('4012888888881881');
    const foreign = await expectError(importFile('PK\u0003\u0004…'), 400, 'VALIDATION_ERROR');
    expect(foreign.message).toMatch(/^The file is a ZIP archive or a spreadsheet/);
    expect(await expectData(api.admin.get('/card-ranges'))).toEqual({ credit: 1, debit: 1, prepaid: 1 });
    await expectData(importFile('firstDigits,funding\n'));
    expect(await fundingOf('41111111')).toBe('credit');
  });

  test('is added to a card that is charged for an invoice at the counter, and does not pay the invoice', async () => {
    const service = fixture();
    const { api, credentials } = service;
    await allowSurcharges(service, credentials.merchantId);
    const { customerId } = await createCustomer(service);
    const { invoiceId } = await createInvoice(service, customerId, { amount: 100 });
    const charge = (more: object) =>
      api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 60, paymentMethod: 'card', card: cardBody(1).card, ...more });
    const above = await expectError(charge({ surchargeAmount: 1.75 }), 422, 'INVALID_AMOUNT');
    expect(above).toMatchObject({ field: 'surchargeAmount', details: { allowedSurcharge: 1.74 } });
    await expectError(charge({ paymentMethod: 'cash', card: undefined, surchargeAmount: 1 }), 400, 'INVALID_AMOUNT');
    await expectError(charge({ card: cardBody(1, DEBIT).card, surchargeAmount: 1 }), 422, 'INVALID_AMOUNT');
    expect(await getInvoice(service, invoiceId)).toMatchObject({ amountPaid: 0, amountPending: 0, payments: [] });
    await expectData(charge({ surchargeAmount: 1.74 }));
    const { amountPaid, amountDue, payments } = await getInvoice(service, invoiceId);
    expect({ amountPaid, amountDue }).toEqual({ amountPaid: 60, amountDue: 40 });
    expect(payments[0]).toMatchObject({ amount: 60, surchargeAmount: 1.74 });
    const paid = await expectData(api.admin.get<TransactionRecord>(`/transactions/${payments[0]?.transactionId}`));
    expect(paid).toMatchObject({ amount: 61.74, surchargeAmount: 1.74 });
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}/amount-settings`, { surchargePercent: 0 }));
  });

  test('is quoted on the Public and SDK surfaces', async () => {
    const service = fixture();
    const { api, credentials } = service;
    await allowSurcharges(service, credentials.merchantId);
    const byKey = await expectData(api.public.post('/surcharge-quote', { amount: '50', firstDigits: '411111' }));
    expect(byKey).toMatchObject({ surchargeAmount: 1.45, totalAmount: 51.45 });
    const bySdk = await api.sdk.post('/surcharge-quote', { Amount: '50', FirstDigits: '40000566' });
    expect(bySdk.body).toMatchObject({ success: true, data: { SurchargeAmount: '0.00', TotalAmount: '50.00', Reason: 'debit_card' } });
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}/amount-settings`, { surchargePercent: 0 }));
  });
});
