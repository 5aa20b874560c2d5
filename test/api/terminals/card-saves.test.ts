import { expect, test } from 'vitest';
import { createPerson } from '../../support/approvals.ts';
import { createCustomer, subscribe } from '../../support/customers.ts';
import { pairReader, present, saleOn, startSale } from '../../support/readers.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError, type Surface } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';

interface CardSaveRecord {
  cardSaveId: string;
  customerId: string;
  terminalId: string;
  status: string;
  canceledBy: string | null;
  reason: string | null;
  paymentMethodId: string | null;
  brand: string | null;
  last4: string | null;
}
interface Method {
  paymentMethodId: string;
  token: string;
  last4: string;
  gatewayId: string | null;
  consentText: string | null;
  agreementChannel: string | null;
  isDefault: boolean;
  expiryYear: string;
}

const CONSENT = 'I authorize the shop to store this card.';
const askFor = (as: Surface, customerId: string, terminalId: string, more: object = {}) =>
  as.post<CardSaveRecord>(`/customers/${customerId}/card-saves`, { terminalId, consentText: CONSENT, ...more });
const read = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<CardSaveRecord>(`/card-saves/${id}`));
const untilEnded = (fixture: ApiFixture, id: string) =>
  until('the card save ends', async () => {
    const save = await read(fixture, id);
    return !['starting', 'waiting_for_card', 'processing', 'unconfirmed'].includes(save.status) && save;
  });

/** Stores a card of a new customer by a card reader. */
async function savedCard(fixture: ApiFixture, number: string = CARDS.visa) {
  const { customerId } = await createCustomer(fixture);
  const { terminalId } = await pairReader(fixture);
  const { cardSaveId } = await expectData(askFor(fixture.api.admin, customerId, terminalId), 202);
  await present(fixture, terminalId, 'chip', number);
  const save = await untilEnded(fixture, cardSaveId);
  const [method] = await expectData(fixture.api.admin.get<Method[]>(`/customers/${customerId}/payment-methods`));
  return { customerId, terminalId, save, method: method as Method };
}

describeOnBothDatabases('cards that a card reader stores', (fixture, inFull) => {
  test('are stored on the customer with the consent, and charged without a card by the gateway that stores them', inFull, async () => {
    const service = fixture();
    const { customerId, save, method } = await savedCard(service);
    expect(save).toMatchObject({ status: 'saved', customerId, brand: 'visa', last4: '1111', paymentMethodId: method.paymentMethodId });
    expect(method).toMatchObject({
      last4: '1111',
      isDefault: true,
      consentText: CONSENT,
      agreementChannel: 'counter',
      gatewayId: expect.stringMatching(/^gw_/),
    });
    const sale = await expectData(service.api.admin.post('/transactions', { amount: 17.5, customerId }));
    expect(sale).toMatchObject({ status: 'approved', card: { last4: '1111', brand: 'visa', expiryYear: '2030' } });
    const subscription = await subscribe(service, customerId, { amount: 9 });
    expect(subscription).toMatchObject({ status: 'active' });
    const { details } = await expectError(
      service.api.admin.post('/transactions', { amount: 5, customerId, cvv: '123' }),
      400,
      'VALIDATION_ERROR',
    );
    expect(details).toMatchObject({});
  });

  test('charge nothing: no payment is written, and the decline of a card stores none', inFull, async () => {
    const service = fixture();
    const count = async () => (await expectData(service.api.admin.get<unknown[]>('/transactions?limit=200'))).length;
    const before = await count();
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const { cardSaveId } = await expectData(askFor(service.api.admin, customerId, terminalId), 202);
    await present(service, terminalId, 'chip', CARDS.noFunds);
    const ended = await untilEnded(service, cardSaveId);
    expect(ended).toMatchObject({ status: 'declined', paymentMethodId: null, reason: expect.stringMatching(/./) });
    expect(await expectData(service.api.admin.get<Method[]>(`/customers/${customerId}/payment-methods`))).toEqual([]);
    expect(await count()).toBe(before);
  });

  test('are canceled by the clerk and by the customer, and free the reader', inFull, async () => {
    const service = fixture();
    const { admin } = service.api;
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const first = await expectData(askFor(admin, customerId, terminalId), 202);
    expect(await expectData(admin.post(`/card-saves/${first.cardSaveId}/cancel`))).toMatchObject({
      status: 'canceled',
      canceledBy: 'clerk',
    });
    const { details } = await expectError(admin.post(`/card-saves/${first.cardSaveId}/cancel`), 409, 'RESOURCE_CONFLICT');
    expect(details).toMatchObject({ reason: 'not_on_reader' });
    const second = await expectData(askFor(admin, customerId, terminalId), 202);
    await present(service, terminalId, 'cancel');
    expect(await untilEnded(service, second.cardSaveId)).toMatchObject({ status: 'canceled', canceledBy: 'customer' });
    await expectData(askFor(admin, customerId, terminalId), 202);
  });

  test('use the reader alone: a payment and a card save refuse each other, and ten parallel ones start one', async () => {
    const service = fixture();
    const { admin } = service.api;
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const answers = await Promise.all(Array.from({ length: 10 }, () => askFor(admin, customerId, terminalId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
    const { cardSave, payment, state } = await expectData(
      admin.get<{ state: string; payment: unknown; cardSave: { cardSaveId: string; usedBy: string } }>(`/terminals/${terminalId}`),
    );
    expect({ payment, state }).toEqual({ payment: null, state: 'busy' });
    const { details } = await expectError(admin.post('/transactions', saleOn(terminalId)), 409, 'RESOURCE_CONFLICT');
    expect(details).toMatchObject({ reason: 'terminal_busy', ...cardSave });
    await expectError(admin.delete(`/terminals/${terminalId}`), 409, 'RESOURCE_CONFLICT');
    await present(service, terminalId, 'cancel');
    const { transactionId } = await startSale(service, terminalId);
    const refusal = await expectError(askFor(admin, customerId, terminalId), 409, 'RESOURCE_CONFLICT');
    expect(refusal.details).toMatchObject({ reason: 'terminal_busy', transactionId });
    await present(service, terminalId, 'cancel');
  });

  test('are found after a lost answer, and the card is stored once', inFull, async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const { cardSaveId } = await expectData(askFor(service.api.admin, customerId, terminalId), 202);
    await present(service, terminalId, 'unplug_after_approval');
    expect(await untilEnded(service, cardSaveId)).toMatchObject({ status: 'saved', last4: '1111' });
    const methods = await expectData(service.api.admin.get<Method[]>(`/customers/${customerId}/payment-methods`));
    expect(methods).toHaveLength(1);
  });

  test('wait for the outcome, and repeat one request with its key', inFull, async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const body = { terminalId, consentText: CONSENT, wait: 20 };
    const send = () =>
      service.api.admin.post<CardSaveRecord>(`/customers/${customerId}/card-saves`, body, { 'Idempotency-Key': 'card-save-7' });
    const waiting = send();
    await until('the reader waits for a card', async () => {
      const { dialog } = await expectData(
        service.api.admin.get<{ dialog: { operation: string; state: string } | null }>(`/sandbox/terminals/${terminalId}`),
      );
      return dialog?.operation === 'verification' && dialog.state === 'waiting';
    });
    await present(service, terminalId, 'contactless');
    const saved = await expectData(waiting);
    expect(saved).toMatchObject({ status: 'saved' });
    expect(await expectData(send())).toEqual(saved);
  });

  test('need consent, a reader of the same merchant, and the permission to change customers', inFull, async () => {
    const service = fixture();
    const { admin } = service.api;
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    await expectError(askFor(admin, customerId, terminalId, { consentText: '  ' }), 400, 'REQUIRED_FIELD_MISSING');
    const other = await createMerchant(service);
    const foreign = await pairReader(service, { merchantId: other });
    await expectError(askFor(admin, customerId, foreign.terminalId), 400, 'VALIDATION_ERROR');
    const viewer = await createPerson(service, 'viewer', other);
    await expectError(askFor(viewer.as, customerId, terminalId), 403, 'PERMISSION_DENIED');
    const manager = await createPerson(service, 'manager', other);
    await expectError(askFor(manager.as, customerId, foreign.terminalId), 403, 'MERCHANT_NOT_AUTHORIZED');
    const { cardSaveId } = await expectData(askFor(admin, customerId, terminalId), 202);
    await expectError(manager.as.get(`/card-saves/${cardSaveId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(manager.as.post(`/card-saves/${cardSaveId}/cancel`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await present(service, terminalId, 'cancel');
  });

  test('are stored by the Public surface too', inFull, async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const started = await expectData(
      service.api.public.post<CardSaveRecord>(`/customer/${customerId}/card-saves`, { terminalId, consentText: CONSENT }),
      202,
    );
    await present(service, terminalId, 'phone');
    expect(await untilEnded(service, started.cardSaveId)).toMatchObject({ status: 'saved' });
    expect(await expectData(service.api.public.get<CardSaveRecord>(`/card-saves/${started.cardSaveId}`))).toMatchObject({
      status: 'saved',
    });
  });

  test('end with their customer: a customer that is removed while the reader waits gets no card', inFull, async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { terminalId } = await pairReader(service);
    const { cardSaveId } = await expectData(askFor(service.api.admin, customerId, terminalId), 202);
    await expectData(service.api.admin.delete(`/customers/${customerId}`));
    await present(service, terminalId, 'chip');
    expect(await untilEnded(service, cardSaveId)).toMatchObject({ status: 'failed', paymentMethodId: null });
  });

  test('cannot be charged without their gateway, and the refusal names the reason', inFull, async () => {
    const service = fixture();
    const { admin } = service.api;
    const { customerId, method } = await savedCard(service);
    const merchantId = (await expectData(admin.get<{ merchantId: string }>(`/customers/${customerId}`))).merchantId;
    const path = `/merchants/${merchantId}/gateways/${method.gatewayId}`;
    await expectData(admin.put(path, { status: 'disabled' }));
    const { details, message } = await expectError(admin.post('/transactions', { amount: 5, customerId }), 503, 'GATEWAY_UNAVAILABLE');
    await expectData(admin.put(path, { status: 'active' }));
    expect(details).toMatchObject({ reason: 'gateway_of_card', gatewayId: method.gatewayId });
    expect(message).toContain('1111');
  });

  test('are charged after the rotation of the data key, rerun after a decline, and gone with their removal', inFull, async () => {
    const service = fixture();
    const { admin } = service.api;
    const { customerId, method } = await savedCard(service);
    const { data: declined } = (await admin.post<{ transactionId: string; status: string }>('/transactions', { amount: 1000, customerId }))
      .body;
    expect(declined).toMatchObject({ status: 'declined' });
    await admin.post('/sandbox/clock', { advanceSeconds: 300 });
    await expectData(admin.post('/system/data-key/renew'));
    const { data: again } = (await admin.post(`/transactions/${declined.transactionId}/rerun`, {})).body;
    expect(again).toMatchObject({ status: 'declined', card: { last4: method.last4 } });
    await expectData(admin.delete(`/customers/${customerId}/payment-methods/${method.paymentMethodId}`));
    await expectError(admin.post('/transactions', { amount: 5, paymentMethod: 'token', token: method.token }), 404, 'NOT_FOUND');
  });
});
