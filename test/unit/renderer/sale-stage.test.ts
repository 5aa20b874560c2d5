import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../renderer/client/shapes.ts';
import type { Answer, Refusal } from '../../../renderer/screens/sell/charge/answer.ts';
import { isCertain, type PendingCharge, stageAfter, stageOfSettled } from '../../../renderer/screens/sell/stage.ts';
import { sameCharge } from '../../../renderer/screens/sell/unconfirmed/doubts.ts';
import { terminalSettings } from '../../../renderer/screens/sell/vt-settings.ts';
import { aloud, fieldAtFault } from '../../../renderer/screens/sell/words.ts';

const CHARGE: PendingCharge = { amount: '45.00', currency: 'USD', means: 'Visa ending in 6975' };
const transaction = (change: Partial<Transaction>) =>
  ({ transactionId: 'txn_1', status: 'approved', pendingReason: null, ...change }) as Transaction;
const refused = (code: string, status: number): Answer => {
  const refusal: Refusal = { code, status, message: 'Words.', field: undefined, details: {}, requestId: 'req_1', retryAtMs: undefined };
  return { kind: 'refused', refusal };
};

describe('an answer leads', () => {
  test('to the result when approved, to checking when its outcome is open', () => {
    expect(stageAfter({ kind: 'approved', transaction: transaction({}) }, CHARGE, 'card').kind).toBe('result');
    expect(stageAfter({ kind: 'doubt', transactionId: 'txn_1' }, CHARGE, 'card')).toEqual({
      kind: 'checking',
      doubt: { ...CHARGE, transactionId: 'txn_1', reason: 'lost' },
    });
    const held = transaction({ status: 'pending', pendingReason: 'held_for_review' });
    expect(stageAfter({ kind: 'pending', transaction: held }, CHARGE, 'card')).toMatchObject({ doubt: { reason: 'held' } });
  });

  test('back to the form with the reason in every other case', () => {
    const decline = { transactionId: 'txn_1', declineCode: 'cvv_failure', declineReason: 'Wrong.', avsResponse: null, cvvResponse: 'N' };
    expect(stageAfter({ kind: 'declined', decline }, CHARGE, 'card')).toMatchObject({ kind: 'entry', notice: { kind: 'declined' } });
    expect(stageAfter(refused('GATEWAY_ERROR', 502), CHARGE, 'card')).toMatchObject({ kind: 'entry', notice: { kind: 'refused' } });
    expect(stageAfter({ kind: 'silence' }, CHARGE, 'card')).toEqual({ kind: 'entry', notice: { kind: 'silence' } });
  });

  test('a charge in doubt to its end, and nowhere before', () => {
    expect(stageOfSettled(transaction({ status: 'pending' }), 'card')).toBeNull();
    expect(stageOfSettled(transaction({ status: 'approved' }), 'card')?.kind).toBe('result');
    expect(stageOfSettled(transaction({ status: 'failed' }), 'card')).toMatchObject({ notice: { kind: 'failed', transactionId: 'txn_1' } });
    expect(stageOfSettled(transaction({ status: 'declined', declineCode: 'insufficient_funds' }), 'card')).toMatchObject({
      notice: { kind: 'declined', advice: { step: { kind: 'field', field: 'amount' } } },
    });
  });
});

describe('the key of an attempt', () => {
  test('is given up only when it is certain what became of the charge', () => {
    expect(isCertain({ kind: 'approved', transaction: transaction({}) })).toBe(true);
    expect(isCertain({ kind: 'doubt', transactionId: 'txn_1' })).toBe(true);
    expect(isCertain(refused('INVALID_CARD_NUMBER', 400))).toBe(true);
    for (const open of [
      refused('INTERNAL_ERROR', 500),
      refused('RATE_LIMIT_EXCEEDED', 429),
      refused('RESOURCE_CONFLICT', 409),
      { kind: 'silence' } as Answer,
    ]) {
      expect(isCertain(open)).toBe(false);
    }
  });
});

test('holds back the same card and amount while it is unconfirmed, and nothing else', () => {
  const open = [{ ...CHARGE, transactionId: 'txn_1', reason: 'lost' as const }];
  expect(sameCharge(open, CHARGE)).toBe(open[0]);
  expect(sameCharge(open, { ...CHARGE, amount: '45.01' })).toBeUndefined();
  expect(sameCharge(open, { ...CHARGE, means: 'Visa ending in 1111' })).toBeUndefined();
});

describe('the merchant’s settings', () => {
  test('ask for code and ZIP where nothing is said', () => {
    for (const vtSettings of [undefined, null, {}, 'nonsense']) {
      expect(terminalSettings({ merchantId: 'mer_1', vtSettings })).toEqual({
        requireCode: true,
        requireZip: true,
        modes: ['card', 'bank', 'saved'],
        type: 'sale',
        autoPrint: false,
        asksTip: false,
        surchargePercent: 0,
      });
    }
  });

  test('are followed where they say something', () => {
    const vtSettings = { requireCvv: false, requireZip: false, allowedModes: ['card', 'ach'], defaultType: 'auth', autoPrint: true };
    expect(terminalSettings({ merchantId: 'mer_1', vtSettings })).toEqual({
      requireCode: false,
      requireZip: false,
      modes: ['card', 'bank'],
      type: 'auth',
      autoPrint: true,
      asksTip: false,
      surchargePercent: 0,
    });
  });
});

test('errors of the service are led to their field', () => {
  expect(fieldAtFault('card.number')).toBe('number');
  expect(fieldAtFault('card.expiryMonth')).toBe('expiry');
  expect(fieldAtFault('merchantId')).toBeNull();
  expect(fieldAtFault(undefined)).toBeNull();
});

test('announces silence without claiming an outcome', () => {
  expect(aloud({ kind: 'silence' })).not.toMatch(/declined|failed|approved/i);
});

test('announces a charge held for review and one being checked differently', () => {
  const doubt = { ...CHARGE, transactionId: 'txn_1' };
  const said = (reason: 'lost' | 'held') => aloud({ kind: 'same-charge', doubt: { ...doubt, reason }, charge: CHARGE });
  expect(said('lost')).toBe('This charge is still being checked. Charging again may take the money twice.');
  expect(said('held')).toBe('The gateway holds this charge for review. Charging again may take the money twice.');
});
