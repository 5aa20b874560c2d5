// What a processor settled beside what we did: held captures, voids in place of refunds, parts given back later, bank payments that came back.
import { expect, test } from 'vitest';
import { fromBank, keyed, openLiveCore } from '../../../support/live-core.ts';

const HOUR = 3_600_000;

test.each(['authorizenet', 'nmi'])("balances a day at %s by the processor's batches", async (type) => {
  const live = await openLiveCore();
  try {
    const { core, by, merchantId } = live;
    const peer = await live.addPeer(type, {}, { cutoffTime: '23:00', timezone: 'America/New_York' });
    const paid = await Promise.all([21, 22, 23, 24].map((amount) => core.payments.sell(by, keyed(amount))));
    const bank = await core.payments.sell(by, fromBank(31));
    const auth = await core.payments.sell(by, keyed(40, { type: 'auth' }));
    await core.payments.capture(by, { transactionId: auth.transactionId, amount: 35 });
    await core.payments.refund(by, { transactionId: paid[0]?.transactionId ?? '' });
    await core.payments.refund(by, { transactionId: paid[1]?.transactionId ?? '', amount: 5 });
    await core.payments.voidTransaction(by, { transactionId: paid[2]?.transactionId ?? '' });
    await live.pass(11 * HOUR);
    peer.closeBatch();
    const [settlement] = await core.settlement.settle(by, merchantId);
    const date = settlement?.settlementDate ?? '';
    const compared = await core.reconciliation.run(by, { date });
    expect({ matched: compared.matched, discrepancies: compared.discrepancyCount }).toEqual({ matched: true, discrepancies: 0 });

    // The part that waited goes back, and the bank takes its payment back.
    await live.pass(3 * HOUR);
    peer.ledger.returnItem(peer.ledger.byOurReference(bank.processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
    await live.pass(20 * HOUR);
    await core.payments.readReturns(by.tenantId);
    peer.closeBatch();
    const [next] = await core.settlement.settle(by, merchantId);
    const nextDay = await core.reconciliation.run(by, { date: next?.settlementDate ?? '' });
    expect({ discrepancies: nextDay.discrepancyCount, day: next?.settlementDate !== date }).toEqual({ discrepancies: 0, day: true });

    // Somebody charges in the processor's own screens.
    await live.pass(60_000);
    peer.ledger.add({ ourReference: '', operation: 'sale', state: 'captured', amountMinor: 999, method: 'card', last4: '4242' });
    await core.payments.sell(by, keyed(26));
    await live.pass(20 * HOUR);
    peer.closeBatch();
    const [last] = await core.settlement.settle(by, merchantId);
    const strange = await core.reconciliation.run(by, { date: last?.settlementDate ?? '' });
    expect(strange.discrepancyCount).toBe(1);
  } finally {
    await live.close();
  }
});
