// Comparison of a processor's settlements with ours: held captures, voids instead of refunds, later partial refunds, and returned bank payments.
import { expect, test } from 'vitest';
import { bankPayment, cardPayment, openLiveCore } from '../../../support/live-core.ts';
import { ANY_DATABASE } from '../../../support/tier.ts';

const HOUR = 3_600_000;

test.each(['authorizenet', 'nmi'])("balances a day at %s by the processor's batches", async (type) => {
  const live = await openLiveCore();
  try {
    const { core, actor, merchantId } = live;
    const simulator = await live.addSimulator(type, {}, { cutoffTime: '23:00', timezone: 'America/New_York' });
    const paid = await Promise.all([21, 22, 23, 24].map((amount) => core.payments.createPayment(actor, cardPayment(amount))));
    const bank = await core.payments.createPayment(actor, bankPayment(31));
    const auth = await core.payments.createPayment(actor, cardPayment(40, { type: 'auth' }));
    await core.payments.capture(actor, { transactionId: auth.transactionId, amount: 35 });
    await core.payments.refund(actor, { transactionId: paid[0]?.transactionId ?? '' });
    await core.payments.refund(actor, { transactionId: paid[1]?.transactionId ?? '', amount: 5 });
    await core.payments.voidTransaction(actor, { transactionId: paid[2]?.transactionId ?? '' });
    await live.advance(11 * HOUR);
    simulator.closeBatch();
    const [settlement] = await core.settlement.settle(actor, merchantId);
    const date = settlement?.settlementDate ?? '';
    const compared = await core.reconciliation.run(actor, { date });
    expect({ matched: compared.matched, discrepancies: compared.discrepancyCount }).toEqual({ matched: true, discrepancies: 0 });

    // The waiting partial refund is sent, and the bank returns its payment.
    await live.advance(3 * HOUR);
    simulator.ledger.returnItem(simulator.ledger.byOurReference(bank.processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
    await live.advance(20 * HOUR);
    await core.payments.readReturns(actor.tenantId);
    simulator.closeBatch();
    const [next] = await core.settlement.settle(actor, merchantId);
    const nextDay = await core.reconciliation.run(actor, { date: next?.settlementDate ?? '' });
    expect({ discrepancies: nextDay.discrepancyCount, day: next?.settlementDate !== date }).toEqual({ discrepancies: 0, day: true });

    // A charge is made on the processor's own screens.
    await live.advance(60_000);
    simulator.ledger.add({ ourReference: '', operation: 'sale', state: 'captured', amountMinor: 999, method: 'card', last4: '4242' });
    await core.payments.createPayment(actor, cardPayment(26));
    await live.advance(20 * HOUR);
    simulator.closeBatch();
    const [last] = await core.settlement.settle(actor, merchantId);
    const strange = await core.reconciliation.run(actor, { date: last?.settlementDate ?? '' });
    expect(strange.discrepancyCount).toBe(1);
  } finally {
    await live.close();
  }
});

test.each(ANY_DATABASE)('reports a payment that was settled although its refund was sent as a void (%s)', async (kind) => {
  const live = await openLiveCore(kind);
  try {
    const { core, actor, merchantId } = live;
    const simulator = await live.addSimulator('authorizenet', {}, { cutoffTime: '23:00', timezone: 'America/New_York' });
    const [refunded] = await Promise.all([21, 22].map((amount) => core.payments.createPayment(actor, cardPayment(amount))));
    const transactionId = refunded?.transactionId ?? '';
    expect(await core.payments.refund(actor, { transactionId })).toMatchObject({ status: 'approved', sentAs: 'void' });
    const [charge] = simulator.ledger.byOurReference(refunded?.processorRef ?? '');
    if (charge) simulator.ledger.capture(charge, 2_100);
    await live.advance(11 * HOUR);
    simulator.closeBatch();
    const [settlement] = await core.settlement.settle(actor, merchantId);
    const { runId } = await core.reconciliation.run(actor, { date: settlement?.settlementDate ?? '' });
    const { items } = await core.reconciliation.items(actor, runId ?? '', 'discrepancies', { page: 1, limit: 50 });
    expect(items.map((line) => [line.type, line.transactionId, line.settledAmount?.minor])).toEqual([
      ['missing_in_transactions', transactionId, 2_100],
    ]);
  } finally {
    await live.close();
  }
});

test('reads the report of an account once that gateways with several of its processors share', async () => {
  const live = await openLiveCore();
  try {
    const { core, actor, merchantId } = live;
    const settings = { cutoffTime: '23:00', timezone: 'America/New_York' };
    const { origin, credentials, closeBatch } = await live.addSimulator('nmi', {}, settings);
    const processor = { ...credentials, processorId: 'ccprocessora' };
    await core.merchants.gateways.add(actor, merchantId, {
      type: 'nmi',
      name: 'cards',
      mode: 'test',
      origin,
      credentials: processor,
      ...settings,
    });
    await core.payments.createPayment(actor, cardPayment(21));
    await live.advance(11 * HOUR);
    closeBatch();
    const [settlement] = await core.settlement.settle(actor, merchantId);
    const compared = await core.reconciliation.run(actor, { date: settlement?.settlementDate ?? '' });
    expect(compared).toMatchObject({ matched: true, discrepancyCount: 0 });
  } finally {
    await live.close();
  }
});
