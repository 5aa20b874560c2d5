// Information that processors get about cards on file, and their advice on further charges.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { STRIPE_HEADER, stripeRow } from '../../../support/customer-file.ts';
import { cardPayment, openLiveCore } from '../../../support/live-core.ts';
import { until } from '../../../support/until.ts';

test.each(['authorizenet', 'nmi'])(
  '%s: the processor is informed that a card is stored, and later charges refer to the first one',
  async (type) => {
    const live = await openLiveCore();
    try {
      const simulator = await live.addSimulator(type);
      const { core, actor } = live;
      const customer = await core.customers.create(actor, { name: 'Ada Payer', email: 'ada@payer.example' } as never);
      const first = await core.payments.createPayment(
        actor,
        cardPayment(30, { customerId: customer.customerId, saveConsent: 'on the phone' }),
      );
      expect(first.status).toBe('approved');
      const lastBody = () => simulator.lastRequest()?.body ?? '';
      expect(lastBody()).toMatch(type === 'nmi' ? /stored_credential_indicator=stored/ : /isFirstSubsequentAuth/);
      await core.payments.createPayment(actor, {
        type: 'sale',
        amount: 31,
        customerId: customer.customerId,
        source: 'saved',
        channel: 'phone',
      });
      const [entry] = simulator.ledger.byOurReference(first.processorRef);
      if (type === 'nmi') {
        expect(lastBody()).toContain('stored_credential_indicator=used');
        expect(lastBody()).toContain(`initial_transaction_id=${entry?.reference}`);
      } else expect(lastBody()).toMatch(/isStoredCredentials/);
      expect(lastBody()).not.toMatch(/cvv|cardCode/);
      const unscheduled = { type: 'sale', amount: 32, customerId: customer.customerId, source: 'saved' } as const;
      expect(await core.payments.createPayment(actor, unscheduled)).toMatchObject({ status: 'approved', channel: 'unscheduled' });
      expect(lastBody()).toMatch(type === 'nmi' ? /initiated_by=merchant/ : /isSubsequentAuth/);
      expect(lastBody()).not.toMatch(/billing_method|retail|industry/);
    } finally {
      await live.close();
    }
  },
);

test('refers the first charge by the merchant of an imported card to the payment at the earlier provider', async () => {
  const live = await openLiveCore();
  try {
    const simulator = await live.addSimulator('authorizenet');
    const { core, actor, merchantId } = live;
    const content = [Buffer.from([STRIPE_HEADER, stripeRow(7)].join('\n'))];
    const file = { merchantId, filename: 'stripe.csv', content: Readable.from(content) };
    const { importId } = await core.customerTransfer.receive(actor, file);
    await core.customerTransfer.run(actor, importId, {});
    await core.start();
    await until('the import is done', async () => (await core.customerTransfer.get(actor, importId)).status === 'done');
    const [customer] = (await core.customers.page(actor, {}, { page: 1, limit: 5 })).items;
    const charge = { customerId: customer?.customerId, amount: 20, frequency: 'monthly' };
    await core.recurring.create(actor, charge as never);
    const sent = simulator.lastRequest()?.body ?? '';
    expect(sent).toContain('"originalNetworkTransId":"012345678907"');
    expect(sent).toContain('"isSubsequentAuth":"true"');
  } finally {
    await live.close();
  }
});

test.each([
  ['261', { kind: 'stop-card' }, 'cancelled'],
  ['262', { kind: 'stop-plan' }, 'cancelled'],
  ['263', { kind: 'update-card' }, 'past_due'],
  ['264', { kind: 'wait', days: 3 }, 'past_due'],
] as const)('the advice %s on a renewal takes precedence over the dunning table', async (code, advice, status) => {
  const live = await openLiveCore();
  try {
    const simulator = await live.addSimulator('nmi');
    const { core, actor } = live;
    const customer = await core.customers.create(actor, { name: 'Ada Payer', email: 'ada@payer.example' } as never);
    await core.payments.createPayment(actor, cardPayment(30, { customerId: customer.customerId, saveConsent: 'on the phone' }));
    simulator.faults([{ do: 'code', code, on: ['sale'] }]);
    const subscription = await core.recurring.create(actor, { customerId: customer.customerId, amount: 20, frequency: 'monthly' } as never);
    const transactions = await core.payments.page(actor, { status: 'declined' }, { page: 1, limit: 5 });
    expect(transactions.items[0]?.retryAdvice).toEqual(advice);
    const after = await core.recurring.get(actor, subscription.subscriptionId);
    expect(after.status).toBe(status);
    if (advice.kind === 'wait') expect(Date.parse(after.nextPaymentDate ?? '') - Date.now()).toBeGreaterThan(2 * 86_400_000);
  } finally {
    await live.close();
  }
});
