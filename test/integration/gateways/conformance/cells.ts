// The rows of the conformance matrix: every operation with every outcome that a processor may offer, and the required behavior of a connector.
import assert from 'node:assert/strict';
import type { ChargeRequest } from '../../../../core/processing/gateways/connector.ts';
import type { Outcome } from '../../../../core/processing/gateways/outcome.ts';
import { type CellSetup, type ConnectorHarness, OPERATIONS, type Operation } from './harness.ts';
import { SPECIAL_CASES } from './special-cases.ts';
import { startOperation } from './start-operation.ts';

/** Conditions that may occur for any request. */
export const CONDITIONS = [
  'approved',
  'response lost, then found',
  'request lost, then not found',
  'partial response, then found',
  'rate limited',
  'maintenance',
  'wrong credentials',
  'unreadable response',
  'secrets repeated',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Decline codes of the contract. */
export const DECLINES = [
  ...(['insufficient_funds', 'card_declined', 'invalid_account', 'invalid_expiry', 'cvv_failure', 'avs_failure'] as const),
  ...(['fraud_suspected', 'lost_stolen', 'expired_card', 'restricted_card', 'exceeds_limit', 'do_not_honor', 'call_issuer'] as const),
] as const;
export type Decline = (typeof DECLINES)[number];

export type CellName = `${Operation}: ${Condition}` | `sale: declined, ${Decline}` | keyof typeof SPECIAL_CASES;

export interface Cell {
  readonly name: CellName;
  run(harness: ConnectorHarness, setup: CellSetup): Promise<void>;
}

const HOUR_MS = 3_600_000;

export const CELLS: readonly Cell[] = [
  ...OPERATIONS.flatMap((operation) =>
    CONDITIONS.map((condition): Cell => ({ name: `${operation}: ${condition}`, run: runOperation(operation, condition) })),
  ),
  ...DECLINES.map((code): Cell => ({ name: `sale: declined, ${code}`, run: declined(code) })),
  ...(Object.entries(SPECIAL_CASES) as [keyof typeof SPECIAL_CASES, Cell['run']][]).map(([name, run]) => ({ name, run })),
];

/** Sets up a cell, runs it and resets the harness; nothing is sent if the processor does not offer the outcome. */
export async function runCell(harness: ConnectorHarness, { name, run }: Cell): Promise<'passed' | { readonly notOffered: string }> {
  const setup = harness.setups[name];
  if (setup === undefined) throw new Error('The cell is empty: it has neither a setup nor a reason why it is not offered.');
  if ('notOffered' in setup) return setup;
  try {
    await run(harness, setup);
    return 'passed';
  } finally {
    await harness.reset();
  }
}

function runOperation(operation: Operation, condition: Condition): Cell['run'] {
  return async (harness, setup) => {
    const start = await startOperation(harness, operation, setup);
    if (!('notOffered' in setup)) await setup.before?.();
    const connector =
      condition === 'wrong credentials'
        ? harness.brokenConnectors?.wrongCredentials
        : condition === 'unreadable response'
          ? harness.brokenConnectors?.invalidResponses
          : undefined;
    const outcome = await start.send(connector ?? harness.connector);
    switch (condition) {
      case 'approved':
        assert.equal(outcome.kind, 'approved', describeOutcome(outcome));
        assert.equal(await start.countPayments(), 1);
        assert.equal((await start.find(0)).kind, 'approved');
        return;
      case 'response lost, then found':
      case 'partial response, then found':
        assert.equal(outcome.kind, 'unknown', describeOutcome(outcome));
        await harness.reset();
        assert.equal((await start.find(0)).kind, 'approved');
        assert.equal(await start.countPayments(), 1);
        return;
      case 'request lost, then not found': {
        assert.equal(outcome.kind, 'unknown', describeOutcome(outcome));
        await harness.reset();
        const early = await start.find(0);
        assert.ok(early.kind === 'unknown' || early.kind === 'not-found', describeOutcome(early));
        assert.equal((await start.find(HOUR_MS)).kind, 'not-found');
        return;
      }
      case 'secrets repeated':
        for (const secret of harness.secrets) assert.ok(!JSON.stringify(outcome).includes(secret), 'a secret came back');
        break;
      case 'unreadable response':
        assert.equal(outcome.kind, 'unknown', describeOutcome(outcome));
        break;
      case 'wrong credentials':
        assert.partialDeepStrictEqual(outcome, { kind: 'not-sent', alert: 'set-up' });
    }
    // Whatever was answered, no money was taken, and the connector must not report otherwise.
    assert.ok(outcome.kind === 'unknown' || outcome.kind === 'not-sent', describeOutcome(outcome));
    await harness.reset();
    assert.equal((await start.repeat()).kind, 'approved');
  };
}

function declined(code: Decline): Cell['run'] {
  return async (harness, setup) => {
    const start = await startOperation(harness, 'sale', setup);
    if (!('notOffered' in setup)) await setup.before?.();
    const outcome = await start.send(harness.connector);
    assert.partialDeepStrictEqual(outcome, { kind: 'declined', declineCode: code });
    assert.ok(
      outcome.kind === 'declined' && outcome.declineReason !== '' && outcome.referenceToVoid === undefined,
      describeOutcome(outcome),
    );
    assert.equal(await start.countPayments(), 0);
  };
}

/** Returns an outcome as text for a failure message. */
const describeOutcome = (outcome: Outcome | { readonly kind: 'not-found' } | ChargeRequest): string => JSON.stringify(outcome);
