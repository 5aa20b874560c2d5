import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TerminalMethodInput } from '#core/sales/payments';
import { cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';
import { until } from '../../../support/until.ts';

let live: LiveCore;
let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
let terminalId = '';

beforeAll(async () => {
  live = await openLiveCore();
  simulator = await live.addSimulator('nexo');
  const { id: code = '', address } = simulator.device ?? {};
  const paired = await live.core.terminals.pair(live.actor, { code, address, name: 'Counter 1' });
  expect(paired).toMatchObject({ gateway: 'nexo', model: 'SIM', serialNumber: '000001', address, state: 'online' });
  ({ terminalId } = paired);
});
afterAll(async () => {
  await live.close();
  vi.useRealTimers();
});

const sell = (amount: number, more: Partial<TerminalMethodInput> = {}, allowPartialApproval = false) =>
  live.core.payments.createPayment(live.actor, {
    type: 'sale',
    amount,
    method: { kind: 'terminal', terminalId, ...more },
    allowPartialApproval,
    source: 'terminal',
  });
const read = (transactionId: string) => live.core.payments.get(live.actor, transactionId);

/** Acts at the reader, and lets the job read its answer. */
async function present(action: Parameters<typeof simulator.present>[0]['action'], tipMinor = 0): Promise<void> {
  await until('the reader waits for a card', async () => simulator.present({ action, tipMinor }));
}
const concluded = (transactionId: string) =>
  until('the payment is concluded', async () => {
    await live.advance(2_000);
    const payment = await read(transactionId);
    return payment.status !== 'pending' && payment;
  });
const unconfirmed = async () => (await live.core.payments.unconfirmed.list(live.actor, {})).payments;

test('takes a chip payment on a reader in the local network, with the facts of its receipt', async () => {
  const { transactionId, status } = await sell(25.5);
  expect(status).toBe('pending');
  await present('chip');
  expect(await concluded(transactionId)).toMatchObject({
    status: 'approved',
    channel: 'chip',
    authCode: '042042',
    card: { brand: 'visa', last4: '1111' },
    terminal: {
      state: 'approved',
      entryMode: 'chip',
      verification: 'pin',
      applicationLabel: 'Visa Credit',
      applicationId: 'A0000000031010',
    },
  });
});

test('sends no other payment to the gateway of the reader, because it takes payments on readers only', async () => {
  await expect(live.core.payments.createPayment(live.actor, cardPayment(20))).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('card readers only'),
  });
});

test('stores no cards, and says why', async () => {
  const { customerId } = await live.core.customers.create(live.actor, { firstName: 'Ann', lastName: 'Marsh' });
  await expect(live.core.cardSaves.create(live.actor, customerId, { terminalId, consentText: 'I agree.' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { reason: 'card_saves_not_supported' },
  });
});

test('a payment whose connection broke after the approval is found by inquiry, and charged once', async () => {
  const before = simulator.ledger.totals().charged;
  simulator.faults([{ do: 'drop-answer', on: ['Payment'] }]);
  const { transactionId } = await sell(26.5);
  await present('contactless');
  expect(await concluded(transactionId)).toMatchObject({ status: 'approved', channel: 'contactless' });
  simulator.faults();
  expect(simulator.ledger.totals().charged).toBe(before + 2_650);
});

test('a payment that the reader forgot with its power waits for a person, who finds it in the portal', async () => {
  const { transactionId } = await sell(27.5);
  await present('unplug_after_approval');
  await until('the reader is asked', async () => {
    await live.advance(2_000);
    return (await read(transactionId)).terminal?.state === 'unconfirmed';
  });
  simulator.present({ action: 'connect' });
  const [open] = await until('a person is needed', async () => {
    await live.advance(10_000);
    const payments = await unconfirmed();
    return payments.some(({ alert }) => alert === 'processor-at-a-loss') && payments;
  });
  expect(await read(transactionId)).toMatchObject({ status: 'pending' });
  const decision = { outcome: 'approved', gatewayReference: 'T00042.P000000000000042', note: 'Seen in the portal' } as const;
  await live.core.payments.unconfirmed.conclude(live.actor, open?.id ?? '', decision);
  expect(await read(transactionId)).toMatchObject({ status: 'approved', amount: { minor: 2_750 } });
});

test('the reader asks for a tip and a part is accepted if the payment allows it', async () => {
  const tipped = await sell(20, { asksTip: true });
  await present('chip', 300);
  expect(await concluded(tipped.transactionId)).toMatchObject({ status: 'approved', amount: { minor: 2_300 }, tipAmount: { minor: 300 } });
  const partial = await sell(20, {}, true);
  await present('partial');
  expect(await concluded(partial.transactionId)).toMatchObject({ status: 'approved', amount: { minor: 1_000 } });
});

test.each([
  ['partial', 0],
  ['other_amount', 0],
  ['chip', 5_000],
] as const)(
  'an amount that the payment does not allow (%s, tip %i) is for a person, because voids are not confirmed',
  async (action, tip) => {
    const { transactionId } = await sell(20, { asksTip: tip > 0 });
    await present(action, tip);
    const { id } = await until('a person is needed', async () => {
      await live.advance(10_000);
      const open = (await unconfirmed()).find((each) => each.transactionId === transactionId);
      return open?.alert === 'other-amount' && open;
    });
    expect(await read(transactionId)).toMatchObject({ status: 'pending' });
    await live.core.payments.unconfirmed.conclude(live.actor, id, { outcome: 'failed', note: 'Reversed in the portal' });
  },
);

test('a canceled payment and an offline reader charge nothing, and the reader is free again', async () => {
  const before = simulator.ledger.totals().charged;
  const { transactionId } = await sell(31);
  const canceled = await live.core.payments.cancelAtTerminal(live.actor, { transactionId });
  expect(canceled).toMatchObject({ status: 'failed', terminal: { state: 'canceled', canceledBy: 'clerk' } });
  simulator.present({ action: 'unplug' });
  await expect(sell(32)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT', details: { reason: 'terminal_offline' } });
  expect(await live.core.terminals.get(live.actor, terminalId)).toMatchObject({ state: 'offline', payment: null });
  simulator.present({ action: 'connect' });
  expect(await live.core.terminals.check(live.actor, terminalId)).toMatchObject({ state: 'online' });
  expect(simulator.ledger.totals().charged).toBe(before);
});

test('the reader sends a refund, whose result a person reads in the portal', async () => {
  const { transactionId } = await sell(33);
  await present('chip');
  await concluded(transactionId);
  const refund = await live.core.payments.refund(live.actor, { transactionId, amount: 10 });
  expect(refund).toMatchObject({ status: 'pending' });
  const { id } = await until('a person is needed', async () => {
    await live.advance(60_000);
    const open = (await unconfirmed()).find((each) => each.transactionId === transactionId);
    return open?.operation === 'refund' && open.alert === 'processor-at-a-loss' && open;
  });
  await live.core.payments.unconfirmed.conclude(live.actor, id, { outcome: 'approved', note: 'Refunded in the portal' });
  expect(await read(transactionId)).toMatchObject({ refundedAmount: { minor: 1_000 } });
  expect(simulator.ledger.totals().paidOut).toBe(1_000);
});
