// What processors are told of cards on file, and what they advise on charging them again (decisions 10).
import { expect, test } from 'vitest';
import { keyed, openLiveCore } from '../../../support/live-core.ts';

test.each(['authorizenet', 'nmi'])('%s hears that a card is stored, and later charges refer to the first one', async (type) => {
  const live = await openLiveCore();
  try {
    const peer = await live.addPeer(type);
    const { core, by } = live;
    const customer = await core.customers.create(by, { name: 'Ada Payer', email: 'ada@payer.example' } as never);
    const first = await core.payments.sell(by, keyed(30, { customerId: customer.customerId, saveConsent: 'on the phone' }));
    expect(first.status).toBe('approved');
    const said = () => peer.last()?.body ?? '';
    expect(said()).toMatch(type === 'nmi' ? /stored_credential_indicator=stored/ : /isFirstSubsequentAuth/);
    await core.payments.sell(by, { type: 'sale', amount: 31, customerId: customer.customerId, source: 'saved' });
    const [entry] = peer.ledger.byOurReference(first.processorRef);
    if (type === 'nmi') {
      expect(said()).toContain('stored_credential_indicator=used');
      expect(said()).toContain(`initial_transaction_id=${entry?.reference}`);
    } else expect(said()).toMatch(/isStoredCredentials/);
    expect(said()).not.toMatch(/cvv|cardCode/);
  } finally {
    await live.close();
  }
});

test.each([
  ['261', { kind: 'stop-card' }, 'cancelled'],
  ['262', { kind: 'stop-plan' }, 'cancelled'],
  ['263', { kind: 'update-card' }, 'past_due'],
  ['264', { kind: 'wait', days: 3 }, 'past_due'],
] as const)('advice %s on a renewal goes before the dunning table', async (code, advice, status) => {
  const live = await openLiveCore();
  try {
    const peer = await live.addPeer('nmi');
    const { core, by } = live;
    const customer = await core.customers.create(by, { name: 'Ada Payer', email: 'ada@payer.example' } as never);
    await core.payments.sell(by, keyed(30, { customerId: customer.customerId, saveConsent: 'on the phone' }));
    peer.faults([{ do: 'code', code, on: ['sale'] }]);
    const subscription = await core.recurring.create(by, { customerId: customer.customerId, amount: 20, frequency: 'monthly' } as never);
    const transactions = await core.payments.page(by, { status: 'declined' }, { page: 1, limit: 5 });
    expect(transactions.items[0]?.retryAdvice).toEqual(advice);
    const after = await core.recurring.get(by, subscription.subscriptionId);
    expect(after.status).toBe(status);
    if (advice.kind === 'wait') expect(Date.parse(after.nextPaymentDate ?? '') - Date.now()).toBeGreaterThan(2 * 86_400_000);
  } finally {
    await live.close();
  }
});
