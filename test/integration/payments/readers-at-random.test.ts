import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '#core';
import type { Database } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { READER_ACTIONS, type TerminalPaymentState } from '#shared/terminals';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';
import { sized } from '../../support/tier.ts';

let opened: TestCore;
let core: Core;
let actor: Actor;
let books: Database;

beforeAll(async () => {
  opened = await openTestCore(
    (ledger) => {
      books = ledger;
      return ledger;
    },
    'sqlite',
    { sandboxTimeoutMs: 1, sandboxSlowMs: 1 },
  );
  ({ core, actor } = opened);
});
afterAll(() => opened.close());

const ENDS: readonly TerminalPaymentState[] = ['approved', 'declined', 'canceled', 'reader_error'];
/** The states that may follow each state of a payment on a reader. */
const NEXT: Readonly<Partial<Record<TerminalPaymentState, readonly TerminalPaymentState[]>>> = {
  starting: ['waiting_for_card', 'processing', 'unconfirmed', ...ENDS],
  waiting_for_card: ['processing', 'unconfirmed', ...ENDS],
  processing: ['waiting_for_card', 'unconfirmed', ...ENDS],
  unconfirmed: ['waiting_for_card', 'processing', ...ENDS],
};

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'start' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('present' as const),
      action: fc.constantFrom(...READER_ACTIONS),
      card: fc.constantFrom(CARDS.visa, CARDS.noFunds, CARDS.answerLost, CARDS.neverReceived, CARDS.gatewayError),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'inquire' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom('normal' as const, 'silent' as const) }) },
);

/** Runs an operation that may be refused. */
async function attempt(operation: () => Promise<unknown>): Promise<void> {
  try {
    await operation();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

const isApprovedInBooks = async (processorRef: string): Promise<boolean> => {
  const [row] = await books
    .readAcrossTenants()
    .all<{ approved: number }>('SELECT approved FROM sandbox_ledger WHERE processor_ref = :processorRef', { processorRef });
  return Number(row?.approved ?? 0) === 1;
};

test('random actions on a reader leave each payment with the result of the processor, follow the table of states, and run one payment at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { tenantId } = actor;
      const { terminalId } = await core.terminals.pair(actor, { code: 'SIM123', name: 'Reader' });
      const states = new Map<string, TerminalPaymentState>();

      async function check(): Promise<void> {
        const { items } = await core.payments.page(actor, {}, { page: 1, limit: 100 });
        const own = items.filter(({ terminal }) => terminal?.terminalId === terminalId);
        for (const { transactionId, status, terminal } of own) {
          const state = terminal?.state ?? 'starting';
          const before = states.get(transactionId) ?? 'starting';
          if (state !== before) expect(NEXT[before], `${before} -> ${state}`).toContain(state);
          expect(status === 'pending', `${status} while ${state}`).toBe(!ENDS.includes(state));
          states.set(transactionId, state);
        }
        expect(own.filter(({ status }) => status === 'pending').length).toBeLessThanOrEqual(1);
      }

      for (const each of steps) {
        await attempt(async () => {
          if (each.kind === 'start')
            await core.payments.createPayment(actor, {
              type: 'sale',
              amount: 10,
              method: { kind: 'terminal', terminalId },
              source: 'terminal',
            });
          else if (each.kind === 'present')
            await core.sandbox.presentToReader(actor, terminalId, { action: each.action, cardNumber: each.card });
          else if (each.kind === 'inquire') await core.payments.resolveUnconfirmed(tenantId, 3_600_000);
          else if (each.kind === 'mode') await core.sandbox.setGatewayMode(actor, each.mode);
          else {
            const { payment } = await core.terminals.get(actor, terminalId);
            await core.payments.cancelAtTerminal(actor, { transactionId: payment?.transactionId ?? '' });
          }
        });
        await check();
      }
      await core.sandbox.setGatewayMode(actor, 'normal');
      await core.sandbox.presentToReader(actor, terminalId, { action: 'connect' });
      await core.payments.resolveUnconfirmed(tenantId, 3_600_000);
      await attempt(() => core.sandbox.presentToReader(actor, terminalId, { action: 'cancel' }));
      await core.payments.resolveUnconfirmed(tenantId, 3_600_000);
      await check();
      for (const [transactionId, state] of states) {
        const { processorRef } = await core.payments.get(actor, transactionId);
        expect(ENDS, transactionId).toContain(state);
        expect(await isApprovedInBooks(processorRef), `${transactionId} is ${state}`).toBe(state === 'approved');
      }
    }),
    { numRuns: sized(15, 150) },
  );
}, 60_000);
