import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Core } from '#core';
import type { Database } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { READER_ACTIONS, type TerminalPaymentState } from '#shared/terminals';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE, sized } from '../../support/tier.ts';

const AMOUNT = 10;
const ENDS: readonly TerminalPaymentState[] = ['approved', 'declined', 'canceled', 'reader_error'];
/** The states that may follow each state of a payment on a reader. */
const NEXT: Readonly<Partial<Record<TerminalPaymentState, readonly TerminalPaymentState[]>>> = {
  starting: ['choosing_tip', 'waiting_for_card', 'processing', 'unconfirmed', ...ENDS],
  choosing_tip: ['waiting_for_card', 'processing', 'unconfirmed', ...ENDS],
  waiting_for_card: ['processing', 'unconfirmed', ...ENDS],
  processing: ['choosing_tip', 'waiting_for_card', 'unconfirmed', ...ENDS],
  unconfirmed: ['choosing_tip', 'waiting_for_card', 'processing', ...ENDS],
};

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('start' as const), asksTip: fc.boolean(), allowPartialApproval: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('present' as const),
      action: fc.constantFrom(...READER_ACTIONS),
      card: fc.constantFrom(CARDS.visa, CARDS.noFunds, CARDS.answerLost, CARDS.neverReceived, CARDS.gatewayError),
      tipAmount: fc.constantFrom(0, 1.5, AMOUNT, AMOUNT + 0.01),
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

/** Returns the amount that the processor charged, in minor units, less what was voided; 0 without an approval. */
async function chargedInBooks(books: Database, processorRef: string): Promise<number> {
  const rows = await books
    .readAcrossTenants()
    .all<{ operation: string; amount_minor: number }>(
      'SELECT operation, amount_minor FROM sandbox_ledger WHERE approved = 1 AND (processor_ref = :processorRef OR original_ref = :processorRef)',
      { processorRef },
    );
  const isVoided = rows.some(({ operation }) => operation === 'void');
  return isVoided ? 0 : rows.reduce((sum, { amount_minor }) => sum + Number(amount_minor), 0);
}

describe.each(ANY_DATABASE)('random actions (%s)', (database) => {
  let opened: TestCore;
  let core: Core;
  let actor: Actor;
  let books: Database;

  beforeAll(async () => {
    const behind = (ledger: Database) => {
      books = ledger;
      return ledger;
    };
    opened = await openTestCore(behind, database, { sandboxTimeoutMs: 1, sandboxSlowMs: 1 });
    ({ core, actor } = opened);
  });
  afterAll(() => opened.close());

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
                amount: AMOUNT,
                method: { kind: 'terminal', terminalId, asksTip: each.asksTip },
                allowPartialApproval: each.allowPartialApproval,
                source: 'terminal',
              });
            else if (each.kind === 'present')
              await core.sandbox.presentToReader(actor, terminalId, {
                action: each.action,
                cardNumber: each.card,
                tipAmount: each.tipAmount,
              });
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
          const { processorRef, amount, tipAmount, terminal } = await core.payments.get(actor, transactionId);
          const charged = await chargedInBooks(books, processorRef);
          if (state === 'approved') expect(charged, transactionId).toBe(amount.minor);
          // A person decides about an amount that nobody asked for.
          else if (state === 'unconfirmed') expect(charged % (AMOUNT * 5), transactionId).toBe(1);
          else expect([ENDS.includes(state), charged], `${transactionId} is ${state}`).toEqual([true, 0]);
          expect(tipAmount.minor, transactionId).toBeLessThanOrEqual(terminal?.asksTip ? AMOUNT * 100 : 0);
        }
      }),
      { numRuns: sized(15, 150) },
    );
  }, 60_000);
});
