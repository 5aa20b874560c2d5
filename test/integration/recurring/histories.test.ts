import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '#core';
import { FREQUENCIES } from '#core/billing/recurring';
import { type Actor, ServiceError } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { FULL, sized } from '../../support/tier.ts';
import { Model } from './model.ts';

const DAY_MS = 86_400_000;
// Bank accounts, which have no expiry date: the histories last for decades.
const account = (accountNumber: string) => ({ accountNumber, routingNumber: '021000021', accountType: 'checking', accountHolderName: 'M' });
const GOOD = account('000123456789');
const BAD = account('000123450001');

let opened: TestCore;
let core: Core;
let actor: Actor;

// The scheduler is not started: only the test clock bills, so that a history replays from its seed.
beforeAll(async () => {
  opened = await openTestCore();
  ({ core, actor: actor } = opened);
  const { now } = await core.sandbox.clock(actor);
  await core.sandbox.moveClock(actor, { now: new Date(Math.ceil(Date.parse(now) / DAY_MS) * DAY_MS + DAY_MS / 2).toISOString() });
});
afterAll(() => opened.close());

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance' as const), days: fc.constantFrom(1, 2, 3, 7, 14, 31, 45) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('skip' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('card' as const), declines: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
);
const plan = fc.record({
  // Short frequencies have periods that pass while a payment is being retried.
  frequency: fc.constantFrom(...FREQUENCIES, 'daily' as const, 'daily' as const, 'weekly' as const),
  startsIn: fc.constantFrom(0, 0, 1, 10, 40),
  endsAfter: fc.option(fc.constantFrom(0, 6, 30, 90, 200), { nil: null }),
  total: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
  declines: fc.boolean(),
});

/** Performs an operation and returns whether it was allowed. */
async function allowed(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return false;
    throw error;
  }
}

test('charges on the dates of a simple calendar and nothing else after any sequence of operations', {
  ...FULL,
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.array(operation, { maxLength: 12 }), async ({ frequency, startsIn, endsAfter, total, declines }, steps) => {
      const { customerId } = await core.customers.create(actor, { lastName: 'Model' });
      const good = await core.customers.addMethod(actor, customerId, { bankAccount: GOOD });
      const bad = await core.customers.addMethod(actor, customerId, { bankAccount: BAD });
      const idOf = (isBad: boolean) => (isBad ? bad : good).paymentMethodId;
      const nowMs = Date.parse((await core.sandbox.clock(actor)).now);
      const day = (days: number) => new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10);
      const [startDate, endDate] = [day(startsIn), endsAfter === null ? null : day(startsIn + endsAfter)];
      await core.customers.setDefault(actor, customerId, idOf(declines));
      const made = await core.recurring.create(actor, {
        customerId,
        amount: '20.00',
        frequency,
        startDate,
        ...(endDate === null ? {} : { endDate }),
        ...(total === null ? {} : { totalPayments: total }),
      });
      const id = made.subscriptionId;
      const model = new Model({ start: startDate, frequency, end: endDate, total }, nowMs, declines);
      const check = async (what: string) => {
        const present = await core.recurring.get(actor, id);
        const { items } = await core.recurring.payments(actor, id, {}, { page: 1, limit: 200 });
        const paid = items.filter(({ status }) => status === 'succeeded').map(({ dueDate }) => dueDate);
        const shown = { status: present.status, made: present.paymentsMade, next: present.nextPaymentDate, paid: paid.sort() };
        expect(shown, what).toEqual({ status: model.status, made: model.paid.length, next: model.nextDate, paid: model.paid });
      };
      await check('made');
      for (const step of steps) {
        switch (step.kind) {
          case 'advance':
            await core.sandbox.moveClock(actor, { advanceSeconds: step.days * 86_400 });
            model.advance(step.days);
            break;
          case 'card':
            // Setting the present default again changes nothing; past-due payments are retried with another one.
            await core.customers.setDefault(actor, customerId, idOf(step.declines));
            await core.sandbox.moveClock(actor, { advanceSeconds: 0 });
            if (model.declines !== step.declines) {
              model.declines = step.declines;
              model.retry();
            }
            // Charging the last payment after the end date ends the subscription immediately.
            model.advance(0);
            break;
          case 'skip':
            expect(await allowed(() => core.recurring.skipNext(actor, id))).toBe(model.skip());
            break;
          default:
            expect(await allowed(() => core.recurring[step.kind](actor, id))).toBe(model[step.kind]());
            await core.sandbox.moveClock(actor, { advanceSeconds: 0 });
            model.advance(0);
        }
        await check(JSON.stringify(step));
      }
      await core.recurring.remove(actor, id);
    }),
    { numRuns: sized(20, 200), seed: Number(process.env.PAYDESK_TEST_SEED ?? 20_261_121) },
  );
});
