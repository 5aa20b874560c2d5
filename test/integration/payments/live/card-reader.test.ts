import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const CODE = 'A1B2C3';

let live: LiveCore;
let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
let terminalId = '';

beforeAll(async () => {
  live = await openLiveCore();
  simulator = await live.addSimulator('nmi');
  const paired = await live.core.terminals.pair(live.actor, { code: CODE, name: 'Counter 1' });
  expect(paired).toMatchObject({ gateway: 'nmi', model: 'Ingenico Lane 3000', state: 'online' });
  ({ terminalId } = paired);
});
afterAll(async () => {
  await live.close();
  vi.useRealTimers();
});

const sell = (amount: number) =>
  live.core.payments.createPayment(live.actor, { type: 'sale', amount, method: { kind: 'terminal', terminalId }, source: 'terminal' });
const read = (transactionId: string) => live.core.payments.get(live.actor, transactionId);

test('a live account pairs a reader of its processor and takes a chip payment on it, which is refunded without the card', async () => {
  const { transactionId, status } = await sell(25.5);
  expect(status).toBe('pending');
  expect(simulator.present({ action: 'approve' })).toBe(true);
  await live.advance(2_000);
  expect(await read(transactionId)).toMatchObject({
    status: 'approved',
    channel: 'chip',
    authCode: '042042',
    card: { brand: 'visa', last4: '1111' },
    terminal: { state: 'approved', entryMode: 'chip', applicationLabel: 'Visa Credit' },
  });
  expect(await live.core.payments.refund(live.actor, { transactionId })).toMatchObject({ status: 'approved' });
  expect(simulator.ledger.totals()).toMatchObject({ charged: 2_550, paidOut: 2_550 });
});

test('a payment whose start was not answered is found by its reference and charged once', async () => {
  simulator.faults([{ do: 'drop-answer', on: ['reader-start'], nth: 1 }]);
  const { transactionId, terminal } = await sell(26.5);
  expect(terminal).toMatchObject({ state: 'unconfirmed' });
  simulator.faults();
  expect(simulator.present({ action: 'approve' })).toBe(true);
  await live.advance(2_000);
  expect(await read(transactionId)).toMatchObject({ status: 'approved' });
  expect(simulator.requestCounts()['reader-start']).toBe(2);
});

test('a payment of which the processor approved a part is declined, and the part is voided', async () => {
  const before = simulator.ledger.totals().charged;
  const { transactionId } = await sell(30);
  simulator.present({ action: 'partial' });
  await live.advance(2_000);
  expect(await read(transactionId)).toMatchObject({ status: 'declined', captured: false, terminal: { state: 'declined' } });
  await live.advance(2_000);
  expect(simulator.ledger.totals().charged).toBe(before);
});

test('a tip of the reader is part of the payment, one above the limit is voided, and another amount is for a person', async () => {
  const askTip = (amount: number) => {
    const method = { kind: 'terminal', terminalId, asksTip: true } as const;
    return live.core.payments.createPayment(live.actor, { type: 'sale', amount, method, source: 'terminal' });
  };
  const tipped = await askTip(20);
  simulator.present({ action: 'approve', tipMinor: 400 });
  await live.advance(2_000);
  expect(await read(tipped.transactionId)).toMatchObject({
    status: 'approved',
    amount: { minor: 2_400 },
    tipAmount: { minor: 400 },
    terminal: { tipAmount: { minor: 400 } },
  });
  const before = simulator.ledger.totals().charged;
  const excessive = await askTip(20);
  simulator.present({ action: 'approve', tipMinor: 2_001 });
  await live.advance(2_000);
  expect(await read(excessive.transactionId)).toMatchObject({ status: 'declined', amount: { minor: 2_000 }, captured: false });
  await live.advance(2_000);
  expect(simulator.ledger.totals().charged).toBe(before);
  const other = await sell(20);
  simulator.present({ action: 'other_amount' });
  await live.advance(2_000);
  expect(await read(other.transactionId)).toMatchObject({ status: 'pending', terminal: { state: 'unconfirmed' } });
  await live.advance(300_000);
});

test('a credit to the presented card is sent once, and paid out by the processor', async () => {
  const before = simulator.ledger.totals().paidOut;
  const { transactionId } = await live.core.payments.createCreditOnTerminal(live.actor, { terminalId, amount: 12 });
  simulator.present({ action: 'approve' });
  await live.advance(2_000);
  expect(await read(transactionId)).toMatchObject({ type: 'credit', status: 'approved', terminal: { state: 'approved' } });
  expect(simulator.ledger.totals().paidOut).toBe(before + 1_200);
});

test('a canceled payment frees the reader, and a processor that is down charges nothing', async () => {
  const { transactionId } = await sell(31);
  const canceled = await live.core.payments.cancelAtTerminal(live.actor, { transactionId });
  expect(canceled).toMatchObject({ status: 'failed', terminal: { state: 'canceled', canceledBy: 'clerk' } });
  simulator.faults([{ do: 'code', code: '301', on: ['reader-start'] }]);
  await expect(sell(32)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' });
  simulator.faults();
  expect(await live.core.terminals.get(live.actor, terminalId)).toMatchObject({ payment: null });
});

test('a reader stores a card in the vault of the processor, where later payments charge it, and no other gateway does', async () => {
  const { core, actor } = live;
  const { customerId } = await core.customers.create(actor, { firstName: 'Ann', lastName: 'Marsh' });
  const before = simulator.ledger.totals();
  const saving = await core.cardSaves.create(actor, customerId, { terminalId, consentText: 'I agree.' });
  expect(saving.status).toBe('waiting_for_card');
  expect(simulator.present({ action: 'approve' })).toBe(true);
  await core.cardSaves.terminalChanged(actor.tenantId, simulator.ledger.all().at(-1)?.ourReference ?? '');
  expect(await core.cardSaves.get(actor, saving.cardSaveId)).toMatchObject({ status: 'saved', brand: 'visa', last4: '1111' });
  expect(simulator.ledger.totals().charged).toBe(before.charged);
  const { items } = await core.customers.methods(actor, customerId, { page: 1, limit: 10 });
  expect(items).toMatchObject([{ last4: '1111', expiryYear: '2030', gatewayId: expect.stringMatching(/^gw_/) }]);
  const charge = () => core.payments.createPayment(actor, { type: 'sale', amount: 12, customerId, source: 'saved', channel: 'counter' });
  const paid = await charge();
  expect(paid).toMatchObject({ status: 'approved', gateway: 'nmi', card: { last4: '1111' } });
  expect(await core.payments.createUnlinkedCredit(actor, { transactionId: paid.transactionId, amount: 2 })).toMatchObject({
    status: 'approved',
  });
  const { merchantId } = live;
  const gatewayId = items[0]?.gatewayId ?? '';
  await core.merchants.gateways.update(actor, merchantId, gatewayId, { status: 'disabled' });
  await expect(charge()).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE', details: { reason: 'gateway_of_card' } });
  await core.merchants.gateways.update(actor, merchantId, gatewayId, { status: 'active' });
});
