import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '#core';
import { type Actor, ServiceError } from '#core/kernel';
import type { QueueEntry } from '#core/sales/payments';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { sized } from '../../support/tier.ts';

let opened: TestCore;
let core: Core;
let actor: Actor;

// The scheduler is not started: attempts are made by process-retries and by the test clock only, so that a history can be replayed from its seed.
beforeAll(async () => {
  opened = await openTestCore();
  ({ core, actor: actor } = opened);
});
afterAll(() => opened.close());

const which = fc.nat({ max: 5 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), cents: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined }) }),
  fc.record({ kind: fc.constant('process' as const) }),
  fc.record({ kind: fc.constant('advance' as const), minutes: fc.constantFrom(1, 5, 10, 60) }),
  fc.record({ kind: fc.constantFrom('retry' as const, 'resolve' as const, 'cancel' as const), which }),
  fc.record({ kind: fc.constant('void' as const) }),
  fc.record({ kind: fc.constant('gateway' as const), mode: fc.constantFrom('down' as const, 'normal' as const) }),
);

const AMOUNT = 5_000;
const OPEN = new Set(['pending', 'processing', 'retry']);

async function allowed(operation: () => Promise<unknown>): Promise<void> {
  await operation().catch((error: unknown) => {
    // A refusal is a valid result; a gateway that is simulated as down reports this.
    if (!(error instanceof ServiceError) || (error.status >= 500 && error.code !== 'GATEWAY_UNAVAILABLE')) throw error;
  });
}

async function entriesOf(transactionId: string): Promise<readonly QueueEntry[]> {
  const { items } = await core.payments.refundQueue.page(actor, {}, { page: 1, limit: 200 });
  return items.filter((entry) => entry.transactionId === transactionId);
}

test('keeps reserved and refunded amounts equal to the entries, and never above the captured amount, after any sequence', {
  timeout: 120_000,
}, async () => {
  const card = fc.constantFrom('4000000000005126', '4000000000007726', '4111111111111111');
  await fc.assert(
    fc.asyncProperty(card, fc.array(step, { maxLength: 14 }), async (number, steps) => {
      await core.sandbox.setGatewayMode(actor, 'normal');
      const method = { kind: 'card', number, expiryMonth: '12', expiryYear: '2035' } as const;
      const { transactionId } = await core.payments.createPayment(actor, { type: 'sale', amount: '50.00', method, source: 'api' });
      for (const each of steps) {
        const entries = await entriesOf(transactionId);
        const entry = 'which' in each ? entries[each.which % Math.max(1, entries.length)] : undefined;
        switch (each.kind) {
          case 'refund':
            await allowed(() =>
              core.payments.refund(actor, { transactionId, amount: each.cents === undefined ? undefined : (each.cents / 100).toFixed(2) }),
            );
            break;
          case 'process':
            await core.payments.refundQueue.processRetries(actor);
            break;
          case 'advance':
            await core.sandbox.moveClock(actor, { advanceSeconds: each.minutes * 60 });
            break;
          case 'void':
            await allowed(() => core.payments.voidTransaction(actor, { transactionId }));
            break;
          case 'gateway':
            await core.sandbox.setGatewayMode(actor, each.mode);
            break;
          default:
            if (entry) await allowed(() => core.payments.refundQueue[each.kind](actor, entry.id, {}));
        }
        await check(transactionId);
      }
    }),
    { numRuns: sized(20, 200), seed: Number(process.env.PAYDESK_TEST_SEED ?? 20_261_121) },
  );
});

async function check(transactionId: string): Promise<void> {
  const payment = await core.payments.get(actor, transactionId);
  const entries = await entriesOf(transactionId);
  const refunds = (await core.payments.refundPage(actor, { transactionId }, { page: 1, limit: 200 })).items;
  const sum = (amounts: readonly { amount: { minor: number } }[]) => amounts.reduce((total, { amount }) => total + amount.minor, 0);
  const byHand = entries.filter(({ status, resolvedBy }) => status === 'resolved' && resolvedBy !== 'service');
  expect(payment.reservedAmount.minor).toBe(sum(entries.filter(({ status }) => OPEN.has(status))));
  expect(payment.refundedAmount.minor).toBe(sum(refunds.filter(({ status }) => status === 'approved')) + sum(byHand));
  expect(payment.refundedAmount.minor + payment.reservedAmount.minor).toBeLessThanOrEqual(AMOUNT);
  for (const { status, attemptCount, maxAttempts, scheduledRetryAt } of entries) {
    expect(attemptCount).toBeLessThanOrEqual(maxAttempts);
    expect(scheduledRetryAt !== null).toBe(OPEN.has(status));
  }
}
