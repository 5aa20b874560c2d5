import { expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard, getSubscription, storeCard, subscribe } from '../../support/customers.ts';
import { startPublicHost } from '../../support/public-host.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { openPage, pathOf, submitForm } from '../pages/pay-page-client.ts';

interface LinkRecord {
  linkId: string;
  url: string;
  paymentMethodId: string | null;
  subscriptionId: string | null;
  isLocalOnly: boolean;
  messageIds: string[];
}

const DAY = 86_400;
const MASTERCARD = '5555555555554444';
const NEW_CARD = { number: MASTERCARD, expiry: '12/39' };
const methodsOf = ({ api }: ApiFixture, customerId: string) =>
  expectData(
    api.admin.get<{ paymentMethodId: string; last4: string; isDefault: boolean; consentText: string | null }[]>(
      `/customers/${customerId}/payment-methods`,
    ),
  );
const chargesOf = ({ api }: ApiFixture, customerId: string) =>
  expectData(api.admin.get<TransactionRecord[]>(`/customers/${customerId}/transactions?limit=200`));
const linkFor = ({ api }: ApiFixture, customerId: string, body: object = {}) =>
  expectData(api.admin.post<LinkRecord>(`/customers/${customerId}/update-link`, body), 201);

/** Creates a customer whose subscription is past due, because its card is declined. */
async function pastDue(service: ApiFixture) {
  const { customerId } = await createCustomerWithCard(service, CARDS.declined);
  const subscription = await subscribe(service, customerId);
  expect(subscription.status).toBe('past_due');
  return { customerId, subscriptionId: subscription.subscriptionId };
}

describeOnAnyDatabase('the page on which a customer replaces a card', (fixture) => {
  test('replaces the own card of subscriptions and ends the other open links of the replaced card', async () => {
    const service = fixture();
    const { customerId, defaultPaymentMethodId } = await createCustomerWithCard(service);
    const other = await storeCard(service, customerId, CARDS.amex);
    const own = await subscribe(service, customerId, { paymentMethodId: other.paymentMethodId });
    const byDefault = await subscribe(service, customerId);
    const [first, second] = [
      await linkFor(service, customerId, { paymentMethodId: other.paymentMethodId }),
      await linkFor(service, customerId, { paymentMethodId: other.paymentMethodId }),
    ];
    expect((await submitForm(service, pathOf(first.url), NEW_CARD)).status).toBe(303);
    const [mastercard] = (await methodsOf(service, customerId)).filter(({ last4 }) => last4 === NEW_CARD.number.slice(-4));
    expect(await getSubscription(service, own.subscriptionId)).toMatchObject({ paymentMethodId: mastercard?.paymentMethodId });
    expect(await getSubscription(service, byDefault.subscriptionId)).toMatchObject({ paymentMethodId: null, card: { last4: '1111' } });
    expect((await methodsOf(service, customerId)).find(({ isDefault }) => isDefault)?.paymentMethodId).toBe(defaultPaymentMethodId);
    expect((await submitForm(service, pathOf(second.url), NEW_CARD)).status).toBe(409);
  });

  test('shows the problems of a form without storing anything, and refuses a forged or incomplete address', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const { url } = await linkFor(service, customerId);
    const path = pathOf(url);
    const wrong = await submitForm(service, path, { number: '4111111111111112', expiry: '13/39' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('The card was not saved.');
    expect(wrong.text).not.toContain('4111111111111112');
    const old = await submitForm(service, path, { number: CARDS.visa, expiry: '01/20' });
    expect([old.status, old.text.includes('This card has expired.')]).toEqual([400, true]);
    const last = path.at(-2) === 'A' ? 'B' : 'A';
    for (const forged of [`${path.slice(0, -2)}${last}${path.slice(-1)}`, path.slice(0, -1), '/card/x'])
      expect((await openPage(service, forged)).status).toBe(404);
    expect(await methodsOf(service, customerId)).toHaveLength(1);
  });

  test('explains an expired link, and one whose card or customer was deleted', async () => {
    const service = fixture();
    const { customerId, defaultPaymentMethodId } = await createCustomerWithCard(service);
    const removed = await linkFor(service, customerId);
    await expectData(service.api.admin.delete(`/customers/${customerId}/payment-methods/${defaultPaymentMethodId}`));
    const gone = await openPage(service, pathOf(removed.url));
    expect([gone.status, gone.text.includes('This link is no longer valid')]).toEqual([410, true]);
    const { url } = await linkFor(service, customerId);
    await advanceClock(service, 31 * DAY);
    const expired = await openPage(service, pathOf(url));
    expect([expired.status, expired.text.includes('This link has expired')]).toEqual([410, true]);
    expect((await submitForm(service, pathOf(url), NEW_CARD)).status).toBe(410);
    await expectData(service.api.admin.delete(`/customers/${customerId}`));
    expect((await openPage(service, pathOf(url))).status).toBe(404);
  });

  test('sends the link by email and text message with the expiry date, and adds a link to the message about a failed payment', async () => {
    const service = fixture();
    const { api, credentials } = service;
    const settings = (change: object) => expectData(api.admin.put(`/merchants/${credentials.merchantId}/settings`, change));
    const nowOf = async () => (await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now;
    // While the first day of a month has not begun in the merchant's time zone, the link ends before the last day of that month.
    if ((await nowOf()).slice(8, 10) === '01') await advanceClock(service, DAY);
    const now = await nowOf();
    const { customerId } = await createCustomer(service, { phone: '+12075550142', email: 'link@customer.example' });
    const [expiryYear = '', expiryMonth = ''] = now.split('-');
    const card = { number: CARDS.visa, expiryMonth, expiryYear };
    await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card }), 201);
    const publicHost = await startPublicHost(service.baseUrl);
    await settings({ publicUrl: publicHost.url });
    const sent = await linkFor(service, customerId, { sendVia: ['email', 'sms'] });
    expect(sent).toMatchObject({ isLocalOnly: false, url: expect.stringMatching(/^http:\/\/pay\.example:\d+\/card\/[\w-]{48}$/) });
    const messages = await expectData(api.admin.get<{ messageId: string; body: string }[]>('/sandbox/messages?limit=200'));
    for (const id of sent.messageIds) {
      const message = messages.find(({ messageId }) => messageId === id);
      expect(message).toMatchObject({ body: expect.stringContaining(sent.url) });
      expect(message?.body).toMatch(/ending in 1111 on file with .* expires on /);
    }
    const { customerId: lateId } = await pastDue(service);
    const late = await expectData(api.admin.get<{ to: string; body: string }[]>('/sandbox/messages?limit=200'));
    const dunning = late.find(({ body }) => body.includes(`To use a different card, open this page: ${publicHost.url}/card/`));
    await settings({ publicUrl: null });
    publicHost.close();
    const [, path = ''] = /http:\/\/pay\.example:\d+(\/card\/[\w-]+)/.exec(dunning?.body ?? '') ?? [];
    expect((await submitForm(service, path, NEW_CARD)).status).toBe(303);
    expect((await methodsOf(service, lateId)).map(({ last4 }) => last4)).toContain(NEW_CARD.number.slice(-4));
  });

  test('refuses a link of another customer’s card, and one for a subscription that has ended', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const other = await createCustomerWithCard(service);
    await expectError(
      service.api.admin.post(`/customers/${customerId}/update-link`, { paymentMethodId: other.defaultPaymentMethodId }),
      404,
      'NOT_FOUND',
    );
    const { subscriptionId } = await subscribe(service, customerId);
    await expectData(service.api.admin.post(`/recurring/${subscriptionId}/cancel`, {}));
    await expectError(service.api.admin.post(`/recurring/${subscriptionId}/update-link`, {}), 409, 'ALREADY_CANCELLED');
  });
});

describeOnBothDatabases('the page on which a customer replaces a card', (fixture) => {
  test('saves a card with consent, charges it for the past due subscription once, and is used up by the first of ten submissions', async () => {
    const service = fixture();
    const { customerId, subscriptionId } = await pastDue(service);
    const link = await expectData(service.api.public.post<LinkRecord>(`/recurring/${subscriptionId}/update-link`, {}), 201);
    expect(link).toMatchObject({ subscriptionId, isLocalOnly: true, messageIds: [] });
    const path = pathOf(link.url);
    const open = await openPage(service, path);
    expect(open.status).toBe(200);
    for (const text of ['Update your card', 'Visa ending 0002', 'I allow', 'SANDBOX']) expect(open.text).toContain(text);
    const numbers = ['4', '5', '5', '4', '4', '5', '4', '4', '5', '4'].map((digit) => (digit === '4' ? CARDS.visa : MASTERCARD));
    const answers = await Promise.all(numbers.map((number) => submitForm(service, path, { ...NEW_CARD, number })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(409)]);
    const [present, replaced, ...more] = await methodsOf(service, customerId);
    expect(more).toEqual([]);
    expect(present).toMatchObject({ isDefault: true, consentText: expect.stringMatching(/^I allow .* to store this card/) });
    expect(replaced).toMatchObject({ last4: '0002', isDefault: false });
    await expect.poll(() => getSubscription(service, subscriptionId)).toMatchObject({ status: 'active', paymentsMade: 1 });
    expect((await chargesOf(service, customerId)).map(({ status }) => status)).toEqual(['approved', 'declined']);
    const used = await openPage(service, path);
    expect(used.text).toContain('Card saved. Thank you.');
    expect(used.text).not.toMatch(/\d{4} \d{4}|ending|<form/);
  });
});
