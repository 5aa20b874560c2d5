// The rows of the conformance matrix: every operation with every outcome that a processor may offer, and what a connector must make of it.
import assert from 'node:assert/strict';
import type { ChargeRequest, Outcome } from '../../../../core/gateways/connector.ts';
import { begin } from './begin.ts';
import { type Bench, type How, OPERATIONS, type Operation } from './bench.ts';
import { MATTERS } from './matters.ts';

/** What may happen to any question. */
export const TROUBLES = [
  'approved',
  'answer lost, then found',
  'never came, then not found',
  'half an answer, then found',
  'rate limited',
  'maintenance',
  'wrong credentials',
  'garbage',
  'echo of secrets',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Decline codes of the contract (specification 7.5). */
export const DECLINES = [
  ...(['insufficient_funds', 'card_declined', 'invalid_account', 'invalid_expiry', 'cvv_failure', 'avs_failure'] as const),
  ...(['fraud_suspected', 'lost_stolen', 'expired_card', 'restricted_card', 'exceeds_limit', 'do_not_honor', 'call_issuer'] as const),
] as const;
export type Decline = (typeof DECLINES)[number];

export type CellName = `${Operation}: ${Trouble}` | `sale: declined, ${Decline}` | keyof typeof MATTERS;

export interface Cell {
  readonly name: CellName;
  play(bench: Bench, how: How): Promise<void>;
}

const HOUR_MS = 3_600_000;

export const CELLS: readonly Cell[] = [
  ...OPERATIONS.flatMap((operation) =>
    TROUBLES.map((trouble): Cell => ({ name: `${operation}: ${trouble}`, play: played(operation, trouble) })),
  ),
  ...DECLINES.map((code): Cell => ({ name: `sale: declined, ${code}`, play: declined(code) })),
  ...(Object.entries(MATTERS) as [keyof typeof MATTERS, Cell['play']][]).map(([name, play]) => ({ name, play })),
];

/** Sets a cell up, plays it and puts everything back; nothing is asked where the processor does not offer it. */
export async function playCell(bench: Bench, { name, play }: Cell): Promise<'passed' | { readonly not: string }> {
  const how = bench.how[name];
  if (how === undefined) throw new Error('The cell is empty: it is neither played nor said not to be offered.');
  if ('not' in how) return how;
  try {
    await play(bench, how);
    return 'passed';
  } finally {
    await bench.reset();
  }
}

function played(operation: Operation, trouble: Trouble): Cell['play'] {
  return async (bench, how) => {
    const start = await begin(bench, operation, how);
    if (!('not' in how)) await how.before?.();
    const connector =
      trouble === 'wrong credentials' ? bench.strangers?.keyless : trouble === 'garbage' ? bench.strangers?.garbled : undefined;
    const outcome = await start.ask(connector ?? bench.connector);
    switch (trouble) {
      case 'approved':
        assert.equal(outcome.kind, 'approved', told(outcome));
        assert.equal(await start.landed(), 1);
        assert.equal((await start.find(0)).kind, 'approved');
        return;
      case 'answer lost, then found':
      case 'half an answer, then found':
        assert.equal(outcome.kind, 'unknown', told(outcome));
        await bench.reset();
        assert.equal((await start.find(0)).kind, 'approved');
        assert.equal(await start.landed(), 1);
        return;
      case 'never came, then not found': {
        assert.equal(outcome.kind, 'unknown', told(outcome));
        await bench.reset();
        const early = await start.find(0);
        assert.ok(early.kind === 'unknown' || early.kind === 'not-found', told(early));
        assert.equal((await start.find(HOUR_MS)).kind, 'not-found');
        return;
      }
      case 'echo of secrets':
        for (const secret of bench.secrets) assert.ok(!JSON.stringify(outcome).includes(secret), 'a secret came back');
        break;
      case 'garbage':
        assert.equal(outcome.kind, 'unknown', told(outcome));
        break;
      case 'wrong credentials':
        assert.partialDeepStrictEqual(outcome, { kind: 'not-sent', alert: 'set-up' });
    }
    // Whatever was said, nothing was taken and nobody may think so.
    assert.ok(outcome.kind === 'unknown' || outcome.kind === 'not-sent', told(outcome));
    await bench.reset();
    assert.equal((await start.again()).kind, 'approved');
  };
}

function declined(code: Decline): Cell['play'] {
  return async (bench, how) => {
    const start = await begin(bench, 'sale', how);
    if (!('not' in how)) await how.before?.();
    const outcome = await start.ask(bench.connector);
    assert.partialDeepStrictEqual(outcome, { kind: 'declined', declineCode: code });
    assert.ok(outcome.kind === 'declined' && outcome.declineReason !== '' && outcome.heldUnder === undefined, told(outcome));
    assert.equal(await start.landed(), 0);
  };
}

/** An outcome in the words of a failure. */
export const told = (outcome: Outcome | { readonly kind: 'not-found' } | ChargeRequest): string => JSON.stringify(outcome);
