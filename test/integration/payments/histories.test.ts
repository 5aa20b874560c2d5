import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '#core';
import { type Actor, ServiceError } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { sized } from '../../support/tier.ts';

let opened: TestCore;
let core: Core;
let actor: Actor;

beforeAll(async () => {
  opened = await openTestCore();
  ({ core, actor: actor } = opened);
});
afterAll(() => opened.close());

/** The expected record, computed without the service. */
interface Model {
  captured: number;
  refunded: number;
  voided: boolean;
  auth: boolean;
}

const cents = fc.integer({ min: 1, max: 6_000 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('capture' as const), cents: fc.option(cents, { nil: undefined }) }),
  fc.record({ kind: fc.constant('cancelCapture' as const), cents: fc.constant(undefined) }),
  fc.record({ kind: fc.constant('void' as const), cents: fc.constant(undefined) }),
  fc.record({ kind: fc.constant('refund' as const), cents: fc.option(cents, { nil: undefined }) }),
);

const AMOUNT = 5_000;
const decimal = (minor: number) => (minor / 100).toFixed(2);

/** Performs a step on the model; returns false if it must be refused. */
function apply(model: Model, kind: 'capture' | 'cancelCapture' | 'void' | 'refund', minor: number | undefined): boolean {
  if (model.voided) return false;
  switch (kind) {
    case 'capture':
      if (model.captured > 0 || (minor ?? AMOUNT) > AMOUNT) return false;
      model.captured = minor ?? AMOUNT;
      return true;
    case 'cancelCapture':
      if (!model.auth || model.captured === 0 || model.refunded > 0) return false;
      model.captured = 0;
      return true;
    case 'void':
      if (model.refunded > 0) return false;
      model.voided = true;
      model.captured = 0;
      return true;
    default: {
      const left = model.captured - model.refunded;
      const amount = minor ?? left;
      if (left === 0 || amount > left) return false;
      model.refunded += amount;
      return true;
    }
  }
}

test('matches a simple model after any history of captures, cancellations, voids and refunds', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('sale' as const, 'auth' as const), fc.array(step, { maxLength: 12 }), async (type, steps) => {
      const method = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031' } as const;
      const { transactionId } = await core.payments.createPayment(actor, { type, amount: decimal(AMOUNT), method, source: 'api' });
      const model: Model = { captured: type === 'sale' ? AMOUNT : 0, refunded: 0, voided: false, auth: type === 'auth' };
      for (const { kind, cents: minor } of steps) {
        const amount = minor === undefined ? undefined : decimal(minor);
        const operation = {
          capture: () => core.payments.capture(actor, { transactionId, amount }),
          cancelCapture: () => core.payments.cancelCapture(actor, { transactionId }),
          void: () => core.payments.voidTransaction(actor, { transactionId }),
          refund: () => core.payments.refund(actor, { transactionId, amount }),
        }[kind];
        const done = await operation().then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof ServiceError)) throw error;
            expect(error.status).toBeLessThan(500);
            return false;
          },
        );
        expect(done, kind).toBe(apply(model, kind, minor));
        const record = await core.payments.get(actor, transactionId);
        expect(record).toMatchObject({
          status: model.voided ? 'voided' : 'approved',
          capturedAmount: { minor: model.captured },
          refundedAmount: { minor: model.refunded },
          reservedAmount: { minor: 0 },
        });
      }
    }),
    { numRuns: sized(20, 300) },
  );
});
