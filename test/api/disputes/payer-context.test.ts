// Details of the payer that evidence consists of, from the payment to the pack.
import { expect, test } from 'vitest';
import { createPaymentLink, getInvoice } from '../../support/invoices.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, FULL } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { CARD_FORM, createInvoicePage, openPage, pathOf, prefilledFields, submitForm } from '../pages/pay-page-client.ts';
import { factsOf } from './evidence-facts.ts';

const DAY_SECONDS = 86_400;
const BROWSER = 'Mozilla/5.0 (evidence)';
const DEVICE = 'AAAAAAAAAAAAAAAAAAAAAA';
const ADDRESS = '12 Pier Road, Portland, ME 04101';

/** Pays by hosted fields: the browser stores the card with a client token, and the shop's server charges it. */
async function payByFields({ api, credentials }: ApiFixture, amount: number, more: Record<string, unknown> = {}) {
  const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}));
  const browser = { 'X-Tenant-ID': credentials.tenantId, 'x-client-token': clientToken, 'user-agent': BROWSER };
  const card = { cardNumber: '4000000000000077', expiryMonth: '12', expiryYear: '2045', deviceId: DEVICE };
  const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/public/tokenize-card', card, browser));
  return expectData(api.public.post<TransactionRecord>('/token-transaction', { token, amount, ...more }));
}

const SHIPPING_FORM = {
  shippingStreet: '12 Pier Road',
  shippingCity: 'Portland',
  shippingState: 'ME',
  shippingZip: '04101',
  shippingCountry: 'US',
};

/** Opens a page, pays on it, and returns the ID of the browser. */
async function payOnPage(fixture: ApiFixture, path: string, more: Record<string, string> = {}): Promise<string> {
  const headers = { 'user-agent': BROWSER };
  const page = await openPage(fixture, path, headers);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  await openPage(fixture, path, { ...headers, cookie });
  const paid = await submitForm(fixture, path, { ...prefilledFields(page), ...CARD_FORM, ...more }, { ...headers, cookie });
  expect(paid.status, paid.text).toBe(303);
  return cookie.split('=')[1] ?? '';
}

describeOnAnyDatabase('payer details', (fixture) => {
  test('of a pay page are the IP address, browser, device and shipping address, with the visits of the page', async () => {
    const { api } = fixture();
    const { invoiceId, path } = await createInvoicePage(fixture(), { collectShippingAddress: true });
    await openPage(fixture(), path, { 'user-agent': 'Other browser' });
    const device = await payOnPage(fixture(), path, SHIPPING_FORM);
    const [payment] = (await getInvoice(fixture(), invoiceId)).payments;
    const transactionId = payment?.transactionId ?? '';
    const facts = await factsOf(fixture(), transactionId);
    expect(facts.payerContext).toEqual({ ipAddress: '127.0.0.1', userAgent: BROWSER, deviceId: device, shippingAddress: ADDRESS });
    expect(facts.invoice?.visits).toMatchObject([
      { ipAddress: '127.0.0.1', userAgent: 'Other browser', visits: 1 },
      { ipAddress: '127.0.0.1', userAgent: BROWSER, deviceId: device, visits: 2 },
    ]);
    expect(facts.checklist.find(({ item }) => item === 'invoice')).toMatchObject({
      state: 'found',
      detail: expect.stringContaining('Its pay page was opened 3 times'),
    });
    const shown = await expectData(api.admin.get<{ shippingAddress: string | null }>(`/transactions/${transactionId}`));
    expect(shown.shippingAddress).toBe(ADDRESS);
  });

  test('include the shipping address that a page asks for, and no visit of a deleted customer', async () => {
    const { api } = fixture();
    const { customerId, invoiceId, path } = await createInvoicePage(fixture(), { collectShippingAddress: true });
    const page = await openPage(fixture(), path);
    const refused = await submitForm(fixture(), path, {
      ...prefilledFields(page),
      ...CARD_FORM,
      ...SHIPPING_FORM,
      shippingStreet: '4111 1111 1111 1111',
      shippingCity: '',
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Enter the street of the shipping address in at most 120 characters, without a card number.');
    expect(refused.text).toContain('Enter the city of the shipping address.');
    expect(refused.text).not.toContain('4111 1111');
    await payOnPage(fixture(), path, SHIPPING_FORM);
    const [payment] = (await getInvoice(fixture(), invoiceId)).payments;
    await expectData(api.admin.delete(`/customers/${customerId}`));
    const facts = await factsOf(fixture(), payment?.transactionId ?? '');
    expect(facts.invoice?.visits).toEqual([]);
    expect(facts.payerContext).toEqual({});
  });

  test('of a payment link are the IP address, browser and device', FULL, async () => {
    const link = await createPaymentLink(fixture());
    const device = await payOnPage(fixture(), pathOf(link.url));
    const [payment] = (await getInvoice(fixture(), link.invoiceId)).payments;
    const { payerContext } = await factsOf(fixture(), payment?.transactionId ?? '');
    expect(payerContext).toEqual({ ipAddress: '127.0.0.1', userAgent: BROWSER, deviceId: device });
  });

  test('of hosted fields are those of the browser that entered the card, with the address of delivery', async () => {
    const paid = await payByFields(fixture(), 44, { shippingAddress: ADDRESS });
    const { payerContext } = await factsOf(fixture(), paid.transactionId);
    expect(payerContext).toEqual({ ipAddress: '127.0.0.1', userAgent: BROWSER, deviceId: DEVICE, shippingAddress: ADDRESS });
  });

  test('are not kept for a card that the server of the shop stored', async () => {
    const { api } = fixture();
    const card = { cardNumber: '4111111111111111', expiryMonth: '12', expiryYear: '2045', deviceId: DEVICE };
    const { token } = await expectData(api.public.post<{ token: string }>('/tokenize-card', card));
    const own = await expectData(api.public.post<TransactionRecord>('/token-transaction', { token, amount: 45, shippingAddress: ADDRESS }));
    expect((await factsOf(fixture(), own.transactionId)).payerContext).toEqual({ shippingAddress: ADDRESS });
  });

  test('qualify earlier payments for Compelling Evidence 3.0, but not one whose dispute was won', FULL, async () => {
    const { api } = fixture();
    const earlier: TransactionRecord[] = [];
    for (const amount of [50, 51, 52]) earlier.push(await payByFields(fixture(), amount, { shippingAddress: ADDRESS }));
    const [disputed] = earlier;
    const { disputeId } = await expectData(
      api.admin.post<{ disputeId: string }>('/disputes', { transactionId: disputed?.transactionId ?? '' }),
      201,
    );
    await expectData(api.admin.post(`/disputes/${disputeId}/conclude`, { outcome: 'won' }));
    await advanceClock(fixture(), 150 * DAY_SECONDS);
    const paid = await payByFields(fixture(), 60, { shippingAddress: ADDRESS.toUpperCase() });
    const facts = await factsOf(fixture(), paid.transactionId);
    expect(facts.qualification).toMatchObject({ qualifies: true });
    expect(facts.qualification?.payments.map(({ elements }) => elements)).toEqual(
      [0, 1].map(() => ['ipAddress', 'deviceId', 'shippingAddress']),
    );
    expect(facts.earlier.find(({ transactionId }) => transactionId === disputed?.transactionId)?.isDisputed).toBe(true);
  });
});
