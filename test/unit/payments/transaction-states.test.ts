import { describe, expect, test } from 'vitest';
import {
  SALE_HAS_NO_CAPTURE,
  TRANSACTION_STEPS,
  type TransactionOperation,
  type TransactionState,
} from '../../../core/sales/payments/steps.ts';

const OPERATIONS: readonly TransactionOperation[] = ['capture', 'cancelCapture', 'void', 'refund', 'credit', 'rerun'];

/** The next state, or the error code of the refusal with its reason. */
type Row = readonly [capture: string, cancelCapture: string, void_: string, refund: string, credit: string, rerun: string];

const NOT_RERUNNABLE = 'RESOURCE_CONFLICT not_declined';
const PENDING = 'RESOURCE_CONFLICT pending';
const NOT_CAPTURED = 'RESOURCE_CONFLICT not_captured';

const EXPECTED: Readonly<Record<TransactionState, Row>> = {
  pending: [PENDING, PENDING, PENDING, 'NOT_REFUNDABLE pending', PENDING, PENDING],
  authorized: ['captured', NOT_CAPTURED, 'voided', 'NOT_REFUNDABLE not_captured', 'authorized', NOT_RERUNNABLE],
  captured: ['ALREADY_CAPTURED', 'authorized', 'voided', 'captured', 'captured', NOT_RERUNNABLE],
  'partly-refunded': [
    'ALREADY_CAPTURED',
    'RESOURCE_CONFLICT refunded',
    'RESOURCE_CONFLICT refunded',
    'partly-refunded',
    'partly-refunded',
    NOT_RERUNNABLE,
  ],
  refunded: [
    'ALREADY_CAPTURED',
    'RESOURCE_CONFLICT refunded',
    'RESOURCE_CONFLICT refunded',
    'ALREADY_REFUNDED',
    'refunded',
    NOT_RERUNNABLE,
  ],
  settled: ['ALREADY_CAPTURED', 'RESOURCE_CONFLICT settled', 'RESOURCE_CONFLICT settled', 'settled', 'settled', NOT_RERUNNABLE],
  disputed: ['ALREADY_CAPTURED', 'RESOURCE_CONFLICT disputed', 'RESOURCE_CONFLICT disputed', 'disputed', 'disputed', NOT_RERUNNABLE],
  returned: [
    'ALREADY_CAPTURED',
    'RESOURCE_CONFLICT returned',
    'RESOURCE_CONFLICT returned',
    'NOT_REFUNDABLE returned',
    'RESOURCE_CONFLICT returned',
    NOT_RERUNNABLE,
  ],
  credited: [
    'RESOURCE_CONFLICT credit',
    'RESOURCE_CONFLICT credit',
    'RESOURCE_CONFLICT credit',
    'NOT_REFUNDABLE not_captured',
    'credited',
    NOT_RERUNNABLE,
  ],
  declined: ['TRANSACTION_DECLINED', NOT_CAPTURED, 'TRANSACTION_DECLINED', 'NOT_REFUNDABLE declined', 'TRANSACTION_DECLINED', 'declined'],
  failed: [
    'RESOURCE_CONFLICT failed',
    NOT_CAPTURED,
    'RESOURCE_CONFLICT failed',
    'NOT_REFUNDABLE not_captured',
    'RESOURCE_CONFLICT failed',
    'failed',
  ],
  voided: ['ALREADY_VOIDED', 'ALREADY_VOIDED', 'ALREADY_VOIDED', 'NOT_REFUNDABLE voided', 'ALREADY_VOIDED', NOT_RERUNNABLE],
};

const CAPTURED = 'ALREADY_CAPTURED';
const NOT_AUTHORIZED = 'RESOURCE_CONFLICT not_authorized';
/** The same for changes of the amount: of an authorization, and of a tip. */
const EXPECTED_OF_AMOUNTS: Readonly<Record<TransactionState, readonly [adjustAuthorization: string, adjustTip: string]>> = {
  pending: [PENDING, PENDING],
  authorized: ['authorized', 'authorized'],
  captured: [CAPTURED, 'captured'],
  'partly-refunded': [CAPTURED, 'RESOURCE_CONFLICT refunded'],
  refunded: [CAPTURED, 'RESOURCE_CONFLICT refunded'],
  settled: [CAPTURED, 'RESOURCE_CONFLICT settled'],
  disputed: [CAPTURED, 'RESOURCE_CONFLICT disputed'],
  returned: [CAPTURED, 'RESOURCE_CONFLICT returned'],
  credited: [NOT_AUTHORIZED, 'RESOURCE_CONFLICT credit'],
  declined: [NOT_AUTHORIZED, 'RESOURCE_CONFLICT declined'],
  failed: [NOT_AUTHORIZED, 'RESOURCE_CONFLICT failed'],
  voided: ['ALREADY_VOIDED', 'ALREADY_VOIDED'],
};

function shown(next: string | { readonly code: string; readonly reason?: string }): string {
  if (typeof next === 'string') return next;
  return next.reason === undefined ? next.code : `${next.code} ${next.reason}`;
}

describe('transaction states', () => {
  test.each(Object.entries(EXPECTED))('allows and refuses the specified operations in state %s', (state, expected) => {
    const table = TRANSACTION_STEPS[state as TransactionState];
    expect(OPERATIONS.map((operation) => shown(table[operation]))).toEqual(expected);
  });

  test.each(Object.entries(EXPECTED_OF_AMOUNTS))('allows and refuses changes of the amount in state %s', (state, expected) => {
    const table = TRANSACTION_STEPS[state as TransactionState];
    expect([shown(table.adjustAuthorization), shown(table.adjustTip)]).toEqual(expected);
  });

  test('transactions have no other state', () => {
    expect(Object.keys(TRANSACTION_STEPS).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  test('has a message for every refusal', () => {
    const refusals = Object.values(TRANSACTION_STEPS).flatMap((row) => Object.values(row).filter((next) => typeof next !== 'string'));
    for (const { message } of refusals) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  test('refuses to cancel the capture of a sale because a sale has no authorization', () => {
    expect(SALE_HAS_NO_CAPTURE).toMatchObject({ code: 'RESOURCE_CONFLICT', reason: 'not_an_authorization' });
  });
});
