// Channels of payments and codes of bank debits, from each way into the product to the ledger of the processor.
import { expect, test } from 'vitest';
import type { PaymentInput } from '#core/sales/payments';
import { bankPayment, cardPayment, openLiveCore } from '../../../support/live-core.ts';

type Live = Awaited<ReturnType<typeof openLiveCore>>;
const COMPANY = {
  routingNumber: '021000021',
  accountNumber: '000987654321',
  accountType: 'checking',
  accountHolderName: 'Ada Inc',
} as const;

async function customerWith(live: Live, more: Partial<PaymentInput>, payment = cardPayment): Promise<string> {
  const { customerId } = await live.core.customers.create(live.actor, { firstName: 'Ada' });
  const consent = { customerId, saveConsent: 'I agree to later charges.' };
  expect(await live.core.payments.createPayment(live.actor, payment(30, { ...consent, ...more }))).toMatchObject({ status: 'approved' });
  return customerId;
}

test('Authorize.Net: each channel has its market, and each charge under an agreement its code', async () => {
  const live = await openLiveCore();
  try {
    const { core, actor } = live;
    const simulator = await live.addSimulator('authorizenet');
    const sent = async (input: PaymentInput) => {
      const { channel, secCode, processorRef } = await core.payments.createPayment(actor, input);
      const [entry] = simulator.ledger.byOurReference(processorRef);
      return { channel, secCode, ...entry?.details };
    };
    expect(await sent(cardPayment(20))).toMatchObject({ channel: 'phone', retail: '1/10', secCode: null });
    expect(await sent(cardPayment(21, { channel: 'mail' }))).toMatchObject({ channel: 'mail', retail: '1/10' });
    // The account of the simulator is not a card-present one.
    expect(await sent(cardPayment(22, { channel: 'counter' }))).toMatchObject({ channel: 'counter', retail: '1/10' });
    expect(await sent(cardPayment(23, { source: 'api' }))).toMatchObject({ channel: 'internet', retail: '0/8' });
    expect(await sent(bankPayment(24))).toMatchObject({ secCode: 'TEL', echeck: 'TEL checking', retail: '' });
    expect(await sent(bankPayment(25, { source: 'link', bankAuthorization: { text: 'I agree.' } }))).toMatchObject({
      echeck: 'WEB checking',
    });
    const company = { kind: 'ach', ...COMPANY, accountHolderType: 'company' } as const;
    expect(await sent(bankPayment(26, { method: company }))).toMatchObject({ secCode: 'CCD', echeck: 'CCD businessChecking' });

    const customerId = await customerWith(live, { source: 'api' }, bankPayment);
    const subscription = await core.recurring.create(actor, { customerId, amount: 20, frequency: 'monthly', agreementChannel: 'internet' });
    expect(subscription).toMatchObject({
      status: 'active',
      paymentsMade: 1,
      agreement: { channel: 'internet', text: 'I agree to later charges.' },
    });
    const [renewal] = (await core.payments.page(actor, { channel: 'recurring' }, { page: 1, limit: 5 })).items;
    expect(renewal).toMatchObject({
      channel: 'recurring',
      secCode: 'WEB',
      bankAuthorization: { method: 'online', text: 'I agree to later charges.' },
    });
    const [entry] = simulator.ledger.byOurReference(renewal?.processorRef ?? '');
    expect(entry?.details).toMatchObject({ echeck: 'WEB checking', processing: 'isFirstRecurringPayment' });

    const paid = await core.payments.createPayment(actor, bankPayment(27, { method: company }));
    simulator.closeBatch();
    await core.payments.refund(actor, { transactionId: paid.transactionId });
    expect(simulator.lastRequest()?.body).toMatch(/"accountType":"businessChecking".*"echeckType":"CCD"/);
  } finally {
    await live.close();
  }
});

test('NMI: each channel has its industry, and installments their number', async () => {
  const live = await openLiveCore();
  try {
    const { core, actor } = live;
    const simulator = await live.addSimulator('nmi');
    const sent = async (input: PaymentInput) => {
      const { processorRef } = await core.payments.createPayment(actor, input);
      return simulator.ledger.byOurReference(processorRef)[0]?.details;
    };
    expect(await sent(cardPayment(20))).toMatchObject({ industry: 'moto' });
    expect(await sent(cardPayment(21, { channel: 'counter' }))).toMatchObject({ industry: 'retail' });
    expect(await sent(cardPayment(22, { source: 'link' }))).toMatchObject({ industry: 'ecommerce' });
    const mail = { channel: 'mail', bankAuthorization: { reference: 'Form 12' } } as const;
    expect(await sent(bankPayment(23, mail))).toMatchObject({ sec_code: 'PPD', account_holder_type: 'personal' });
    const company = { kind: 'ach', ...COMPANY, accountHolderType: 'company' } as const;
    expect(await sent(bankPayment(24, { method: company, source: 'api' }))).toMatchObject({
      sec_code: 'CCD',
      account_holder_type: 'business',
    });

    const customerId = await customerWith(live, {});
    const plan = { invoice: { customerId, items: [{ description: 'Sofa', quantity: 1, unitPrice: 90 }] }, count: 3, interval: 'monthly' };
    const { attempts } = await core.installments.create({ ...actor, permissions: new Set(['invoices:write']) }, plan as never);
    expect(attempts).toMatchObject([{ status: 'succeeded' }]);
    expect(simulator.lastRequest()?.body).toMatch(/billing_method=installment&billing_number=1&billing_total=3/);
    expect(simulator.lastRequest()?.body).not.toContain('industry');
  } finally {
    await live.close();
  }
});

test('routing skips a gateway whose account or setting does not take the channel, and refuses before sending if none is left', async () => {
  const live = await openLiveCore();
  try {
    const { core, actor, merchantId } = live;
    const phone = await live.addSimulator('authorizenet', { quirks: ['moto-only'] });
    expect((await core.merchants.gateways.page(actor, merchantId, {}, { page: 1, limit: 5 })).items[0]?.check?.markets).toEqual(['moto']);
    const online = () => core.payments.createPayment(actor, cardPayment(20, { source: 'api' }));
    await expect(online()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'channel',
      details: { reason: 'channel_not_accepted' },
      message: 'The account is not set up for payments with the channel `internet`. Nothing was charged.',
    });
    const shop = await live.addSimulator('nmi', {}, { channels: ['internet'] });
    expect(await online()).toMatchObject({ status: 'approved', gateway: 'nmi' });
    expect(await core.payments.createPayment(actor, cardPayment(21))).toMatchObject({ status: 'approved', gateway: 'authorizenet' });
    await core.merchants.gateways.update(actor, merchantId, phone.gatewayId, { channels: ['mail'] });
    await expect(core.payments.createPayment(actor, cardPayment(22))).rejects.toMatchObject({ field: 'channel' });
    await core.merchants.gateways.update(actor, merchantId, shop.gatewayId, { channels: null });
    expect(await core.payments.createPayment(actor, cardPayment(23))).toMatchObject({ gateway: 'nmi', channel: 'phone' });
  } finally {
    await live.close();
  }
});

test('a rerun and a credit have the channel of their payment', async () => {
  const live = await openLiveCore();
  try {
    const { core, actor } = live;
    const simulator = await live.addSimulator('authorizenet');
    const declined = cardPayment(20, { billing: { zip: '46282' } });
    const { transactionId } = await core.payments.createPayment(actor, declined);
    expect(await core.payments.rerun(actor, { transactionId })).toMatchObject({ channel: 'phone' });
    expect(simulator.lastRequest()?.body).toContain('"marketType":"1"');
    const online = await core.payments.createPayment(actor, { ...declined, source: 'api' });
    expect(await core.payments.rerun(actor, { transactionId: online.transactionId })).toMatchObject({ channel: 'internet' });
    const debit = await core.payments.createPayment(actor, bankPayment(30));
    const credit = await core.payments.createUnlinkedCredit(actor, { transactionId: debit.transactionId, amount: 5 });
    expect(credit).toMatchObject({ channel: 'phone', secCode: 'PPD', bankAuthorization: null });
  } finally {
    await live.close();
  }
});
