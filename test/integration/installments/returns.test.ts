// Installments from bank accounts that are returned days after their approval.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LiveCore, openLiveCore } from '../../support/live-core.ts';

const DAY = 86_400_000;

describe.each([
  ['authorizenet', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('returned installments at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    simulator = await live.addSimulator(type);
  });
  afterAll(() => live.close());

  /** Creates a plan of two installments from a bank account, whose first one is charged with the request. */
  async function createPlan() {
    const { core, merchantId } = live;
    const actor = { ...live.actor, permissions: new Set(['invoices:write'] as const) };
    const { customerId } = await core.customers.create(actor, { lastName: 'Marsh', email: 'marsh@customer.example' });
    await core.customers.addMethod(actor, customerId, {
      bankAccount: { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada Marsh' },
    });
    const plan = await core.installments.create(actor, {
      invoice: { customerId, amount: '90.00', merchantId },
      count: 2,
      interval: 'weekly',
      consentText: 'I agree to the installments.',
      agreementChannel: 'internet',
    });
    expect(plan).toMatchObject({ status: 'active', amountPaid: { minor: 4_500 } });
    return plan;
  }

  const find = (id: string) => live.core.installments.get(live.actor, id);
  const invoiceOf = async (id: string) => live.core.invoicing.get(live.actor, (await find(id)).invoiceId);

  async function returnPayment(transactionId: string | null | undefined, code: string) {
    const { core, actor } = live;
    const { processorRef } = await core.payments.get(actor, transactionId ?? '');
    simulator.closeBatch();
    await live.advance(DAY);
    simulator.ledger.returnItem(simulator.ledger.byOurReference(processorRef)[0]?.reference ?? '', code, 'Returned by the bank');
    await live.advance(DAY);
    await core.payments.readReturns(actor.tenantId);
  }

  test.each(['R01', 'R09'])('reopen the installment after %s, notify the customer, and are charged once by the retry', async (code) => {
    const { installmentPlanId: id, installments } = await createPlan();
    await returnPayment(installments[0]?.transactionId, code);
    const returned = await find(id);
    expect(returned).toMatchObject({ status: 'active', amountPaid: { minor: 0 }, lastDeclineCode: code, pauseReason: null });
    expect(returned.nextRetryAt).not.toBeNull();
    expect(returned.installments.map(({ status }) => status)).toEqual(['retrying', 'scheduled']);
    expect(returned.attempts.map(({ number, status, declineCode }) => [number, status, declineCode])).toEqual([[1, 'failed', code]]);
    expect(await invoiceOf(id)).toMatchObject({ amountPaid: { minor: 0 }, amountDue: { minor: 9_000 } });
    const read = live.database.read(live.actor.tenantId);
    const messages = await read.all("SELECT id FROM messages WHERE tenant_id = :tenantId AND kind = 'dunning' AND resource_id = :id", {
      id,
    });
    expect(messages).toHaveLength(1);

    // A second report of the same return changes nothing.
    await live.core.payments.readReturns(live.actor.tenantId);
    expect((await find(id)).attempts).toHaveLength(1);

    await live.core.installments.retryNow(live.actor, id);
    const retried = await find(id);
    expect(retried).toMatchObject({ status: 'active', amountPaid: { minor: 4_500 }, failedAttempts: 0, nextRetryAt: null });
    expect(retried.installments.map(({ status }) => status)).toEqual(['paid', 'scheduled']);
    expect((await invoiceOf(id)).amountPaid.minor).toBe(4_500);
  });

  test('are past due if the bank forbids a retry', async () => {
    const { installmentPlanId: id, installments } = await createPlan();
    await returnPayment(installments[0]?.transactionId, 'R07');
    expect(await find(id)).toMatchObject({ status: 'past_due', amountPaid: { minor: 0 }, lastDeclineCode: 'R07', nextRetryAt: null });
    expect((await find(id)).installments.map(({ status }) => status)).toEqual(['past_due', 'scheduled']);
  });
});
