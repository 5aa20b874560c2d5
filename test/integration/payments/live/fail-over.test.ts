// If a processor is unavailable, new payments go to the next gateway, and nothing that was sent is sent to another one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const MINUTE = 60_000;
let live: LiveCore;
let first: Awaited<ReturnType<LiveCore['addSimulator']>>;
let second: Awaited<ReturnType<LiveCore['addSimulator']>>;
beforeAll(async () => {
  live = await openLiveCore();
  first = await live.addSimulator('authorizenet');
  second = await live.addSimulator('nmi');
  const rules = [{ condition: 'amount < 500', gateway: 'authorizenet' }, { default: 'nmi' }];
  await live.core.merchants.changeSection(live.actor, live.merchantId, 'gateway-routing', { rules });
});
afterAll(() => live.close());

const sell = (amount: number) => live.core.payments.createPayment(live.actor, cardPayment(amount));
const sentTo = (simulator: { ledger: { byOurReference(ref: string): readonly unknown[] } }, ref: string) =>
  simulator.ledger.byOurReference(ref).length;

test('keeps lost answers at their gateway as unconfirmed, and sends new payments to the next rule after the circuit opens', async () => {
  expect((await sell(20)).gateway).toBe('authorizenet');
  first.faults([{ do: 'drop-answer' }]);
  const lost: string[] = [];
  let gateway = '';
  for (let n = 0; n < 6 && gateway !== 'nmi'; n += 1) {
    await sell(21 + n).then(
      (sale) => {
        gateway = sale.gateway;
      },
      (error) => lost.push(error.details.transactionId),
    );
  }
  expect(gateway).toBe('nmi');
  expect(lost.length).toBeLessThanOrEqual(3);
  expect((await live.core.payments.simulateRouting(live.actor, live.merchantId, { sale: { amount: 20 } }))[0]?.gateway).toBe('nmi');
  for (let n = 0; n < 10; n += 1) expect((await sell(30 + n)).gateway).toBe('nmi');

  first.faults();
  for (let n = 0; n < 10; n += 1) await live.advance(5 * MINUTE);
  for (const transactionId of lost) {
    const found = await live.core.payments.get(live.actor, transactionId);
    expect(found).toMatchObject({ status: 'approved', gateway: 'authorizenet' });
    expect(sentTo(first, found.processorRef)).toBe(1);
    expect(sentTo(second, found.processorRef)).toBe(0);
  }
});

test('allows payments again after a successful inquiry, one first', async () => {
  let gateway = '';
  for (let n = 0; n < 10 && gateway !== 'authorizenet'; n += 1) gateway = (await sell(40 + n)).gateway;
  expect(gateway).toBe('authorizenet');
  expect((await sell(60)).gateway).toBe('authorizenet');
});

test('refuses payments immediately with an explanation if every gateway is unavailable, and stores nothing', async () => {
  const { total: before } = await live.core.payments.page(live.actor, {}, { page: 1, limit: 1 });
  await Promise.all([first.stop(), second.stop()]);
  let refusal: { code: string; message: string; details?: { reason?: string } } | undefined;
  for (let n = 0; n < 8 && refusal?.details?.reason !== 'gateways_away'; n += 1) {
    refusal = await sell(70 + n).then(
      () => undefined,
      (cause) => cause,
    );
    expect(refusal?.code).toBe('GATEWAY_UNAVAILABLE');
  }
  expect(refusal?.message).toContain('Nothing was charged');
  const failed = await live.core.payments.page(live.actor, { status: 'failed' }, { page: 1, limit: 50 });
  const { total: after } = await live.core.payments.page(live.actor, {}, { page: 1, limit: 1 });
  expect(after - before).toBe(failed.total);
});
