import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  awaitsResponse,
  DISPUTE_STEPS,
  type DisputeOperation,
  type DisputeStage,
  type DisputeStatus,
  isActive,
  nextStatus,
  returnedAfter,
  stageAfter,
  withheldAfter,
} from '../../../core/books/disputes/steps.ts';

const OPERATIONS: readonly DisputeOperation[] = ['chargeBack', 'submit', 'reopen', 'accept', 'prearbitrate', 'arbitrate', 'win', 'lose'];

/** The next status of each operation in the order of OPERATIONS; a dash stands for a refusal. */
const EXPECTED: readonly (readonly [DisputeStatus, DisputeStage, string])[] = [
  ['retrieval', 'retrieval', 'open submitted - - - - won -'],
  ['submitted', 'retrieval', 'open - retrieval - - - won -'],
  ['won', 'retrieval', 'open - - - - - - -'],
  ['open', 'chargeback', '- submitted - accepted - - won lost'],
  ['submitted', 'chargeback', '- - open accepted prearbitration arbitration won lost'],
  ['won', 'chargeback', '- - - - prearbitration - - -'],
  ['prearbitration', 'prearbitration', '- submitted - accepted - arbitration won lost'],
  ['submitted', 'prearbitration', '- - prearbitration accepted prearbitration arbitration won lost'],
  ['arbitration', 'arbitration', '- submitted - accepted - - won lost'],
  ['submitted', 'arbitration', '- - arbitration accepted prearbitration arbitration won lost'],
  ['lost', 'chargeback', '- - - - - - - -'],
  ['accepted', 'chargeback', '- - - - - - - -'],
];

function attempt(status: DisputeStatus, stage: DisputeStage, operation: DisputeOperation): string {
  try {
    return nextStatus({ status, stage }, operation);
  } catch {
    return '-';
  }
}

describe('the transition table of disputes', () => {
  test.each(EXPECTED)('from %s at the stage %s leads to the specified statuses', (status, stage, row) => {
    expect(OPERATIONS.map((operation) => attempt(status, stage, operation)).join(' ')).toBe(row);
  });

  test('gives a reason for each refusal', () => {
    for (const row of Object.values(DISPUTE_STEPS))
      for (const next of Object.values(row))
        if (typeof next !== 'string') expect(next).toMatchObject({ code: 'RESOURCE_CONFLICT', reason: expect.any(String) });
  });

  test('withholds or returned every cent of the amount after each step of a random history, with decisions in part', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<readonly [DisputeStatus, DisputeStage]>(['retrieval', 'retrieval'], ['open', 'chargeback']),
        fc.array(fc.tuple(fc.constantFrom(...OPERATIONS), fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined })), {
          maxLength: 30,
        }),
        fc.integer({ min: 1, max: 1_000_000 }),
        ([firstStatus, firstStage], operations, amount) => {
          let status: DisputeStatus = firstStatus;
          let stage: DisputeStage = firstStage;
          let withheld = stage === 'retrieval' ? 0 : amount;
          let balance = -withheld;
          let returned = 0;
          for (const [operation, share] of operations) {
            const next = attempt(status, stage, operation);
            if (next === '-') continue;
            const part = share === undefined ? undefined : Math.floor(share * withheld);
            const after = withheldAfter(operation, { withheld_minor: withheld, amount_minor: amount }, part);
            balance += withheld - after;
            returned = returnedAfter(operation, returned, withheld, after);
            [status, stage, withheld] = [next as DisputeStatus, stageAfter(stage, operation), after];
            expect(balance + withheld).toBe(0);
            expect([withheld, returned].every((minor) => minor >= 0)).toBe(true);
            expect(withheld + returned).toBe(stage === 'retrieval' ? 0 : amount);
            expect(awaitsResponse(status) && !isActive(status)).toBe(false);
          }
        },
      ),
    );
  });
});
