import { expect, test } from 'vitest';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { createInvoice, getInvoice } from '../../support/invoices.ts';
import { CARDS, cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { BANK_FORM, createLinkPage, openPage, pay } from '../pages/pay-page-client.ts';

interface Recorded {
  readonly transactionId: string;
  readonly channel: string | null;
  readonly secCode: string | null;
  readonly bankAuthorization: Record<string, unknown> | null;
}

const ACCOUNT = { accountNumber: '6789012', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann Marsh' };
const PUBLIC_SALE = { Amount: 12, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const PUBLIC_DEBIT = {
  Amount: 13,
  SuggestedMode: 'ACH',
  AccountNumber: '6789012',
  RoutingNumber: '021000021',
  AccountType: 'checking',
  BillingCustomerName: 'Ann',
};

describeOnAnyDatabase('the channel of a payment', (fixture) => {
  test('is that of the Sell screen for people, the internet for shops, and a request may name it', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const sell = (more: object = {}) => expectData(api.admin.post<Recorded>('/transactions', { ...cardBody(20), merchantId, ...more }));
    expect(await sell()).toMatchObject({ channel: 'phone', secCode: null, bankAuthorization: null });
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { channel: 'counter' }));
    expect(await sell()).toMatchObject({ channel: 'counter' });
    expect(await sell({ channel: 'mail' })).toMatchObject({ channel: 'mail' });
    expect(await expectData(api.public.post('/transaction', PUBLIC_SALE))).toMatchObject({ channel: 'internet' });
    expect(await expectData(api.public.post('/transaction', { ...PUBLIC_SALE, Channel: 'phone' }))).toMatchObject({ channel: 'phone' });
    const sdk = { Amount: '12.00', CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123' };
    expect(await expectData(api.sdk.post('/transaction', sdk))).toMatchObject({ Channel: 'internet' });
    expect(await expectData(api.sdk.post('/transaction', { ...sdk, Channel: 'mail' }))).toMatchObject({ Channel: 'mail' });

    const listed = await expectData(api.admin.get<Recorded[]>(`/transactions?merchantId=${merchantId}&channel=counter`));
    expect(listed).toMatchObject([{ channel: 'counter' }]);
    // Cash has no channel.
    await expectData(api.admin.post('/tenders', { kind: 'cash', amount: 20, merchantId }), 201);
    const payments = await expectData(
      api.admin.get<{ transaction: Recorded | null }[]>(`/payments?merchantId=${merchantId}&channel=counter`),
    );
    expect(payments).toMatchObject([{ transaction: { channel: 'counter' } }]);
    const csv = (await api.admin.get(`/transactions/export?merchantId=${merchantId}&channel=mail`)).text.trim().split('\r\n');
    expect(csv).toHaveLength(2);
    expect(csv[0]?.split(',').slice(-3)).toEqual(['channel', 'secCode', 'localDate']);
    expect(csv[1]?.split(',').at(-3)).toBe('mail');
  });

  test('cannot be claimed by a person or a shop whose payment has another one', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture());
    await storeCard(fixture(), customerId);
    const sale = cardBody(20);
    for (const channel of ['recurring', 'internet', 'unscheduled'])
      await expectError(api.admin.post('/transactions', { ...sale, channel }), 400, 'VALIDATION_ERROR', 'channel');
    for (const channel of ['installment', 'chip', 'contactless', 'swipe'])
      await expectError(api.admin.post('/transactions', { ...sale, channel }), 400, 'VALIDATION_ERROR', 'channel');
    await expectError(api.public.post('/transaction', { ...PUBLIC_SALE, Channel: 'recurring' }), 400, 'VALIDATION_ERROR', 'Channel');
    const saved = { type: 'sale', amount: 21, customerId };
    expect(await expectData(api.admin.post('/transactions', { ...saved, channel: 'unscheduled' }))).toMatchObject({
      channel: 'unscheduled',
    });
    await expectError(api.admin.post('/transactions', { ...saved, channel: 'recurring' }), 400, 'VALIDATION_ERROR', 'channel');
  });

  test('of a bank debit decides about its code and the authorization that is recorded', async () => {
    const { api } = fixture();
    const debit = { type: 'sale', amount: 30, paymentMethod: 'ach', bankAccount: ACCOUNT };
    const bankAuthorization = { reference: 'Recording 4711' };
    expect(await expectData(api.admin.post('/transactions', { ...debit, bankAuthorization }))).toMatchObject({
      secCode: 'TEL',
      bankAuthorization: { method: 'oral', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), reference: 'Recording 4711', text: null },
    });
    const byMail = { ...debit, channel: 'mail' };
    await expectError(api.admin.post('/transactions', byMail), 400, 'REQUIRED_FIELD_MISSING', 'bankAuthorization.reference');
    const signed = { ...byMail, bankAuthorization: { reference: 'Form 12', date: '2026-01-31' } };
    expect(await expectData(api.admin.post('/transactions', signed))).toMatchObject({
      secCode: 'PPD',
      bankAuthorization: { method: 'written' },
    });
    const future = { ...debit, bankAuthorization: { date: '2999-01-01' } };
    await expectError(api.admin.post('/transactions', future), 400, 'VALIDATION_ERROR', 'bankAuthorization.date');
    await expectError(
      api.admin.post('/transactions', { ...cardBody(20), bankAuthorization }),
      400,
      'VALIDATION_ERROR',
      'bankAuthorization',
    );
    const company = { ...debit, bankAccount: { ...ACCOUNT, accountHolderType: 'company' } };
    expect(await expectData(api.admin.post('/transactions', company))).toMatchObject({ secCode: 'CCD' });
    expect(await expectData(api.public.post('/transaction', PUBLIC_DEBIT))).toMatchObject({ channel: 'internet', secCode: 'WEB' });
    const ofCompany = { ...PUBLIC_DEBIT, Amount: 14, AccountHolderType: 'company', BankAuthorization: { text: 'We agree.' } };
    expect(await expectData(api.public.post('/transaction', ofCompany))).toMatchObject({
      secCode: 'CCD',
      bankAuthorization: { text: 'We agree.' },
    });
  });

  test('of a pay page is the internet, whatever its payer sends, and a debit records the text that the page showed', async () => {
    const page = await createLinkPage(fixture());
    const { text } = await openPage(fixture(), page.path);
    const form = { ...BANK_FORM, channel: 'phone', bankAuthorization: 'x', consentText: 'x' };
    await pay(fixture(), page.path, form);
    const { payments } = await getInvoice(fixture(), page.invoiceId);
    const [payment] = payments as { transactionId: string }[];
    const paid = await expectData(fixture().api.admin.get<Recorded>(`/transactions/${payment?.transactionId}`));
    expect(paid).toMatchObject({ channel: 'internet', secCode: 'WEB', bankAuthorization: { method: 'online' } });
    const { text: agreed } = paid.bankAuthorization as { text: string };
    expect(agreed).toMatch(/^By paying, you authorize .+ to debit this account once for this amount\.$/);
    expect(text).toContain(agreed);
  });

  test('of an invoice that a person charges can be named, and of one paid in cash not', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture());
    const { invoiceId } = await createInvoice(fixture(), customerId);
    const { card } = cardBody(1);
    const payInvoice = (body: object) => api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 10, ...body });
    await expectData(payInvoice({ paymentMethod: 'card', card, channel: 'mail' }));
    expect(await expectData(api.admin.get(`/transactions?customerId=${customerId}`))).toMatchObject([{ channel: 'mail', invoiceId }]);
    await expectError(payInvoice({ paymentMethod: 'cash', channel: 'mail' }), 400, 'VALIDATION_ERROR', 'channel');
  });

  test('of later charges is that of their agreement', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture());
    const method = { bankAccount: ACCOUNT, consentText: 'I agree to monthly debits.' };
    const subscribe = (more: object) => ({ customerId, amount: 15, frequency: 'monthly', period: 'monthly', ...method, ...more });
    const online = await expectData(api.public.post<{ agreement: object; subscriptionId: string }>('/recurring', subscribe({})), 201);
    expect(online).toMatchObject({ agreement: { channel: 'internet', text: 'I agree to monthly debits.' } });
    const charged = await expectData(api.admin.get<Recorded[]>(`/transactions?customerId=${customerId}&channel=recurring`));
    expect(charged).toMatchObject([
      { channel: 'recurring', secCode: 'WEB', bankAuthorization: { method: 'online', text: 'I agree to monthly debits.' } },
    ]);
    const { consentText: _, ...withoutText } = subscribe({ agreementChannel: 'mail' });
    await expectError(api.admin.post('/recurring', withoutText), 400, 'REQUIRED_FIELD_MISSING', 'bankAuthorization.reference');
    const changed = { agreementChannel: 'counter', bankAuthorization: { reference: 'Form 9' } };
    expect(await expectData(api.admin.put(`/recurring/${online.subscriptionId}`, changed))).toMatchObject({
      agreement: { channel: 'counter', reference: 'Form 9' },
    });
  });
});
