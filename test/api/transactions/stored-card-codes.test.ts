import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { surfaceOf } from '../../support/api-client.ts';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { createInvoice } from '../../support/invoices.ts';
import { createLimitedKey } from '../../support/limited-key.ts';
import { addSimulatorGateway, type LiveServer, saleAtSimulator, startLiveServer } from '../../support/live-server.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

/** A customer of a new merchant with a card on file, charged by all operations that take a stored card. */
async function createParties(fixture: ApiFixture) {
  const merchantId = await createMerchant(fixture);
  const { customerId } = await createCustomer(fixture, { merchantId });
  const { token, paymentMethodId } = await storeCard(fixture, customerId, CARDS.visa, { consentText: 'I agree to later charges.' });
  return { merchantId, customerId, token, paymentMethodId };
}

/** The Public surface with the API key of the whole account. */
const tenantWide = ({ baseUrl, credentials: { tenantApiKey, tenantId } }: ApiFixture) =>
  surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': tenantApiKey }));

let gids = 0;
type Charge = (code: object) => Promise<Answer<TransactionRecord>>;

function chargesOf(fixture: ApiFixture, { customerId, token, paymentMethodId }: Awaited<ReturnType<typeof createParties>>) {
  const sell = (body: object) => fixture.api.admin.post<TransactionRecord>('/transactions', { type: 'sale', amount: 20, ...body });
  return {
    token: (code) => sell({ token, ...code }),
    'card on file': (code) => sell({ customerId, paymentMethodId, ...code }),
    'default card': (code) => sell({ customerId, ...code }),
    'public token': (code) => tenantWide(fixture).post<TransactionRecord>('/token-transaction', { token, amount: 20, ...code }),
    'token of a shop': (code) =>
      tenantWide(fixture).post<TransactionRecord>('/shopifyTransaction', {
        gid: `stored-code-${++gids}`,
        amount: 20,
        currency: 'USD',
        paymentMethod: { type: 'token', data: { token, ...code } },
      }),
  } satisfies Record<string, Charge>;
}

describeOnAnyDatabase('the security code of a stored card', (fixture) => {
  test('sends the code to the processor, whose result declines the payment', async () => {
    const parties = await createParties(fixture());
    for (const [name, charge] of Object.entries(chargesOf(fixture(), parties))) {
      expect((await charge({})).body.data, name).toMatchObject({ status: 'approved', cvvResponse: null });
      expect((await charge({ cvv: '123' })).body.data, name).toMatchObject({ status: 'approved', cvvResponse: 'M' });
      const wrong = (await charge({ cvv: '901' })).body;
      expect(wrong, name).toMatchObject({ success: false, data: { declineCode: 'cvv_failure', cvvResponse: 'N' } });
    }
  });

  test("obeys the merchant's rule for the result of the code", async () => {
    const parties = await createParties(fixture());
    const { api } = fixture();
    await expectData(api.admin.put(`/merchants/${parties.merchantId}/fraud-settings`, { declineOnCvv: ['U'] }));
    const { token } = chargesOf(fixture(), parties);
    const { success, data } = (await token({ cvv: '903' })).body;
    expect({ success, ...data }).toMatchObject({ success: false, declineCode: 'cvv_failure', errorCode: 'CVV_MISMATCH', cvvResponse: 'U' });
    await expectData(token({}));
  });

  test('charges an invoice with the code of a stored card', async () => {
    const { customerId, token } = await createParties(fixture());
    const { api } = fixture();
    const { invoiceId } = await createInvoice(fixture(), customerId);
    const pay = (body: object) =>
      api.admin.post<TransactionRecord>(`/invoices/${invoiceId}/payment`, { amount: 20, paymentMethod: 'token', ...body });
    for (const method of [{ token }, {}]) {
      expect((await pay({ ...method, cvv: '901' })).body).toMatchObject({ success: false, data: { declineCode: 'cvv_failure' } });
      await expectError(pay({ ...method, cvv: '12' }), 400, 'INVALID_CVV', 'cvv');
      await expectData(pay({ ...method, cvv: '123' }));
    }
    await expectError(pay({ paymentMethod: 'cash', cvv: '123' }), 400, 'VALIDATION_ERROR', 'cvv');
  });

  test('refuses an invalid code, and one that no stored card takes', async () => {
    const parties = await createParties(fixture());
    const { api } = fixture();
    for (const [name, charge] of Object.entries(chargesOf(fixture(), parties)))
      for (const cvv of ['12', '12a', '12345']) {
        const field = name === 'token of a shop' ? 'paymentMethod.data.cvv' : 'cvv';
        await expectError(charge({ cvv }), 400, 'INVALID_CVV', field);
      }
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const bankAccount = { accountNumber: '6789012', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann Marsh' };
    const refused = (body: object) =>
      expectError(api.admin.post('/transactions', { type: 'sale', amount: 20, cvv: '123', ...body }), 400, 'VALIDATION_ERROR', 'cvv');
    await refused({ card });
    await refused({ paymentMethod: 'ach', bankAccount });
    const { customerId } = await createCustomer(fixture(), { merchantId: parties.merchantId });
    const account = await expectData(
      api.admin.post<{ token: string }>(`/customers/${customerId}/payment-methods`, { bankAccount, consentText: 'I agree.' }),
      201,
    );
    await refused({ token: account.token });
    await expectError(
      tenantWide(fixture()).post('/token-transaction', { token: account.token, amount: 20, cvv: '123' }),
      400,
      'VALIDATION_ERROR',
      'cvv',
    );
    // Nothing keeps a code until the payment is charged.
    await expectError(
      api.admin.post('/queued-payments', { customerId: parties.customerId, amount: 20, cvv: '123' }),
      400,
      'VALIDATION_ERROR',
      'cvv',
    );
    await expectError(
      api.public.post('/queued-payments', { customerId: parties.customerId, amount: 20, cvc: '123' }),
      400,
      'VALIDATION_ERROR',
      'cvc',
    );
  });

  test('stores no payment with a code until a second person approves it', async () => {
    const { merchantId, token } = await createParties(fixture());
    const { asKey } = await createLimitedKey(fixture(), merchantId, { perPayment: 50, overLimit: 'ask' });
    expect((await asKey.post('/token-transaction', { token, amount: 60 })).status).toBe(202);
    const error = await expectError(asKey.post('/token-transaction', { token, amount: 60, cvv: '123' }), 403, 'PERMISSION_DENIED');
    expect(error.message).toContain('card data');
  });
});

describe('the security code of a stored card at a processor', () => {
  let live: LiveServer;
  const peers: Peer[] = [];
  beforeAll(async () => {
    live = await startLiveServer('sqlite');
  });
  afterAll(async () => {
    await live.stop();
    for (const peer of peers) await peer.stop();
  });

  async function chargesAt(processor: 'nmi' | 'authorizenet') {
    const peer = await startSimulator(processor);
    peers.push(peer);
    const { merchantId } = await expectData(live.api.admin.post<{ merchantId: string }>('/merchants', { name: processor }), 201);
    await addSimulatorGateway(live, peer, { name: processor }, merchantId);
    const { token } = await expectData(live.api.admin.post<TransactionRecord>('/transactions', saleAtSimulator(31, { merchantId })));
    return (amount: number, code: object) =>
      live.api.admin.post<TransactionRecord>('/transactions', { type: 'sale', amount, token, merchantId, ...code });
  }

  test('sends the code of each payment to Authorize.Net', async () => {
    const charge = await chargesAt('authorizenet');
    expect(await expectData(charge(32, { cvv: '900' }))).toMatchObject({ status: 'approved', cvvResponse: 'M' });
    expect((await charge(33, { cvv: '901' })).body).toMatchObject({ success: false, data: { declineCode: 'cvv_failure' } });
    expect(await expectData(charge(34, {}))).toMatchObject({ status: 'approved', cvvResponse: null });
    expect(await expectData(charge(35, { cvv: '900' }))).toMatchObject({ status: 'approved', cvvResponse: 'M' });
  });

  test('sends the code of the first payment to NMI, and refuses it for later ones, which take none', async () => {
    const charge = await chargesAt('nmi');
    expect(await expectData(charge(32, { cvv: '999' }))).toMatchObject({ status: 'approved', cvvResponse: 'M' });
    const { message } = await expectError(charge(33, { cvv: '999' }), 400, 'VALIDATION_ERROR');
    expect(message).toBe(
      'The processor takes no security code for a stored card that was charged before. Nothing was charged. Leave the code out.',
    );
    expect(await expectData(charge(33, {}))).toMatchObject({ status: 'approved', cvvResponse: null });
  });
});
