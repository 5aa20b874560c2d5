// Subscriptions and installment plans whose later charges no gateway of the merchant would take.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LiveCore, openLiveCore } from '../../../support/live-core.ts';
import { until } from '../../../support/until.ts';

const ACCOUNT = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' } as const;
const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '30' };
const CONSENT = 'I agree to later charges.';
const REFUSED = {
  code: 'VALIDATION_ERROR',
  field: 'agreementChannel',
  message: expect.stringMatching(/^Authorize\.Net takes a bank debit that was authorized by phone only once\..*Nothing was saved\.$/),
  details: { reason: 'channel_not_accepted' },
};
const PAGE = { page: 1, limit: 10 };

describe.each(['sqlite', 'postgres'] as const)('a phone agreement to later bank debits at Authorize.Net alone (%s)', (kind) => {
  let live: LiveCore;
  let gatewayId: string;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    ({ gatewayId } = await live.addSimulator('authorizenet'));
  });
  afterAll(() => live.close());

  async function customerWith(bankAccount: object = {}) {
    const { customerId } = await live.core.customers.create(live.actor, { lastName: 'Marsh' });
    await live.core.customers.addMethod(live.actor, customerId, { bankAccount: { ...ACCOUNT, ...bankAccount }, consentText: CONSENT });
    return customerId;
  }
  const subscribe = (input: object) =>
    live.core.recurring.create(live.actor, { amount: 20, frequency: 'monthly', startDate: '2027-03-01', ...input } as never);
  const payInInstallments = (customerId: string, more: object = {}) => {
    const actor = { ...live.actor, permissions: new Set(['invoices:write'] as const) };
    const invoice = { customerId, items: [{ description: 'Sofa', quantity: 1, unitPrice: 90 }] };
    return live.core.installments.create(actor, { invoice, count: 3, interval: 'monthly', firstDate: '2027-03-01', ...more } as never);
  };

  test('refuses a subscription before anything is stored, with a stored account and with a new one', async () => {
    const { core, actor } = live;
    const customerId = await customerWith();
    await expect(subscribe({ customerId, agreementChannel: 'phone' })).rejects.toMatchObject(REFUSED);
    // The default of the Sell screen is `phone`.
    await expect(subscribe({ customerId })).rejects.toMatchObject(REFUSED);
    const empty = await core.customers.create(actor, { lastName: 'Byron' });
    const method = { bankAccount: { ...ACCOUNT, accountNumber: '000222333444' } };
    await expect(subscribe({ customerId: empty.customerId, method, agreementChannel: 'phone' })).rejects.toMatchObject(REFUSED);
    expect((await core.recurring.page(actor, {}, PAGE)).items).toEqual([]);
    expect((await core.customers.methods(actor, empty.customerId, PAGE)).items).toEqual([]);
  });

  test('accepts companies, cards and online agreements', async () => {
    const company = await customerWith({ accountNumber: '000777888999', accountHolderType: 'company' });
    expect(await subscribe({ customerId: company, agreementChannel: 'phone' })).toMatchObject({ status: 'active' });
    const { customerId } = await live.core.customers.create(live.actor, { lastName: 'Lovelace' });
    expect(await subscribe({ customerId, method: { card: CARD }, agreementChannel: 'phone' })).toMatchObject({ status: 'active' });
    expect(await subscribe({ customerId: await customerWith(), agreementChannel: 'internet' })).toMatchObject({ status: 'active' });
  });

  test('refuses a change of the agreement or of the payment method to one that is not taken', async () => {
    const { core, actor } = live;
    const customerId = await customerWith();
    const { subscriptionId } = await subscribe({ customerId, agreementChannel: 'internet' });
    const change = (input: object) => core.recurring.update(actor, subscriptionId, input as never);
    await expect(change({ agreementChannel: 'phone' })).rejects.toMatchObject(REFUSED);
    const method = { bankAccount: { ...ACCOUNT, accountNumber: '000555666777' } };
    await expect(change({ method })).rejects.toMatchObject(REFUSED);
    expect(await change({ amount: 25, method, agreementChannel: 'internet' })).toMatchObject({ agreement: { channel: 'internet' } });

    const card = await core.customers.addMethod(actor, customerId, { card: CARD });
    const byCard = await subscribe({ customerId, paymentMethodId: card.paymentMethodId, agreementChannel: 'phone' });
    const account = await core.customers.addMethod(actor, customerId, { bankAccount: ACCOUNT });
    const toAccount = core.recurring.update(actor, byCard.subscriptionId, { paymentMethodId: account.paymentMethodId });
    await expect(toAccount).rejects.toMatchObject(REFUSED);
  });

  test('refuses a default payment method that no gateway would charge for a subscription, and reports nothing of other merchants', async () => {
    const { core, actor } = live;
    const { customerId } = await core.customers.create(actor, { lastName: 'Hopper' });
    await core.customers.addMethod(actor, customerId, { card: CARD });
    const account = await core.customers.addMethod(actor, customerId, { bankAccount: { ...ACCOUNT, accountNumber: '000333111222' } });
    const { subscriptionId } = await subscribe({ customerId, agreementChannel: 'phone' });
    const makeDefault = () => core.recurring.checkDefaultMethod(actor, customerId, account.paymentMethodId);
    await expect(makeDefault()).rejects.toMatchObject(REFUSED);
    const stranger = { ...actor, merchantId: 'mer_other' };
    await expect(core.recurring.checkDefaultMethod(stranger, customerId, account.paymentMethodId)).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|NOT_AUTHORIZED/),
    });
    await core.recurring.cancel(actor, subscriptionId);
    await makeDefault();
  });

  test('refuses an installment plan, and a change of its payment method', async () => {
    const { core, actor } = live;
    const customerId = await customerWith();
    const byPhone = { consentText: CONSENT, agreementChannel: 'phone' } as const;
    const before = (await core.invoicing.page(actor, {}, PAGE)).total;
    await expect(payInInstallments(customerId, byPhone)).rejects.toMatchObject(REFUSED);
    expect((await core.invoicing.page(actor, {}, PAGE)).total).toBe(before);
    const plan = await payInInstallments(customerId, { ...byPhone, agreementChannel: 'internet' });
    const { paymentMethodId } = await core.customers.addMethod(actor, customerId, {
      bankAccount: { ...ACCOUNT, accountNumber: '000999000111' },
    });
    const change = (more: object) =>
      core.installments.changeMethod(actor, plan.installmentPlanId, { paymentMethodId, consentText: CONSENT, ...more });
    await expect(change({ agreementChannel: 'phone' })).rejects.toMatchObject(REFUSED);
    expect(await change({ agreementChannel: 'internet' })).toMatchObject({ status: 'active' });
  });

  async function gatewaysStatus(): Promise<string> {
    const { items } = await live.core.status.statusFor({ ...live.actor, merchantId: live.merchantId });
    const found = items.find(({ name }) => name === 'gateways');
    return `${found?.message} ${found?.facts.map(({ value }) => value).join(' ')}`;
  }

  test('refuses what the setting of the gateway excludes, and nothing while another gateway takes it', async () => {
    const { core, actor, merchantId } = live;
    const { customerId } = await core.customers.create(actor, { lastName: 'Somerville' });
    await core.customers.addMethod(actor, customerId, { card: CARD });
    await core.merchants.gateways.update(actor, merchantId, gatewayId, { channels: ['phone'] });
    await expect(subscribe({ customerId })).rejects.toMatchObject({ details: { reason: 'channel_not_accepted' }, field: undefined });
    // The subscriptions and the plan of the tests above.
    expect(await gatewaysStatus()).toMatch(/has \d+ subscriptions and installment plans whose next payments no gateway takes/);
    await core.merchants.gateways.update(actor, merchantId, gatewayId, { channels: null });
    expect(await gatewaysStatus()).not.toContain('no gateway takes');
    await live.addSimulator('nmi');
    expect(await subscribe({ customerId: await customerWith(), agreementChannel: 'phone' })).toMatchObject({ status: 'active' });
  });
});

test.each(['sqlite', 'postgres'] as const)('a renewal that no gateway takes any more is past due and not sent (%s)', async (kind) => {
  const live = await openLiveCore(kind);
  try {
    const { core, actor, merchantId } = live;
    const authorizenet = await live.addSimulator('authorizenet');
    const nmi = await live.addSimulator('nmi');
    const { customerId } = await core.customers.create(actor, { lastName: 'Marsh' });
    await core.customers.addMethod(actor, customerId, { bankAccount: ACCOUNT, consentText: CONSENT });
    const plan = { customerId, amount: 20, frequency: 'monthly', startDate: '2026-11-20', agreementChannel: 'phone' } as const;
    const { subscriptionId } = await core.recurring.create(actor, plan);
    await core.merchants.gateways.update(actor, merchantId, nmi.gatewayId, { status: 'disabled' });
    await core.start();
    await live.advance(3 * 86_400_000);
    const subscription = () => core.recurring.get(actor, subscriptionId);
    await until('the subscription is past due', async () => (await subscription()).status === 'past_due');
    expect(await subscription()).toMatchObject({ lastReason: expect.stringContaining('only once') });
    // A processor records declined requests too.
    expect([...authorizenet.ledger.all(), ...nmi.ledger.all()]).toEqual([]);
  } finally {
    await live.close();
  }
});
