import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../renderer/base/client/shapes.ts';
import { type ChargeResult, isCertain, type Refusal } from '../../../renderer/screens/sell/charge/charge-result.ts';
import { findSameCharge, type PendingCharge } from '../../../renderer/screens/sell/charge/unconfirmed-charges.ts';
import { stageAfter, stageOfConfirmed } from '../../../renderer/screens/sell/state/stage.ts';
import { terminalSettings } from '../../../renderer/screens/sell/state/terminal-settings.ts';
import { announcementText, formFieldOf } from '../../../renderer/screens/sell/state/texts.ts';

const CHARGE: PendingCharge = { amount: '45.00', currency: 'USD', methodLabel: 'Visa ••6975' };
const transaction = (change: Partial<Transaction>) =>
  ({ transactionId: 'txn_1', status: 'approved', pendingReason: null, ...change }) as Transaction;
const refused = (code: string, status: number, details: Refusal['details'] = {}, field?: string): ChargeResult => {
  const refusal: Refusal = { code, status, message: 'Words.', field, details, requestId: 'req_1', retryAtMs: undefined };
  return { kind: 'refused', refusal };
};

describe('the next stage after a response', () => {
  test('shows the result of an approved sale, and checks an unconfirmed one', () => {
    expect(stageAfter({ kind: 'approved', transaction: transaction({}) }, CHARGE, 'card').kind).toBe('result');
    expect(stageAfter({ kind: 'unconfirmed', transactionId: 'txn_1' }, CHARGE, 'card')).toEqual({
      kind: 'checking',
      unconfirmed: { ...CHARGE, transactionId: 'txn_1', reason: 'no-response' },
    });
    const held = transaction({ status: 'pending', pendingReason: 'held_for_review' });
    expect(stageAfter({ kind: 'pending', transaction: held }, CHARGE, 'card')).toMatchObject({ unconfirmed: { reason: 'held' } });
  });

  test('returns to the form with the reason in every other case', () => {
    const decline = {
      transactionId: 'txn_1',
      declineCode: 'cvv_failure',
      declineReason: 'Wrong.',
      avsResponse: null,
      billing: null,
      cvvResponse: 'N',
    };
    expect(stageAfter({ kind: 'declined', decline }, CHARGE, 'card')).toMatchObject({ kind: 'entry', notice: { kind: 'declined' } });
    expect(stageAfter(refused('GATEWAY_ERROR', 502), CHARGE, 'card')).toMatchObject({ kind: 'entry', notice: { kind: 'refused' } });
    expect(stageAfter({ kind: 'no-response' }, CHARGE, 'card')).toEqual({ kind: 'entry', notice: { kind: 'no-response' } });
  });

  test('stays checking until an unconfirmed charge is concluded', () => {
    expect(stageOfConfirmed(transaction({ status: 'pending' }), 'card')).toBeNull();
    expect(stageOfConfirmed(transaction({ status: 'approved' }), 'card')?.kind).toBe('result');
    expect(stageOfConfirmed(transaction({ status: 'failed' }), 'card')).toMatchObject({
      notice: { kind: 'failed', transactionId: 'txn_1' },
    });
    expect(stageOfConfirmed(transaction({ status: 'declined', declineCode: 'insufficient_funds' }), 'card')).toMatchObject({
      notice: { kind: 'declined', advice: { step: { kind: 'field', field: 'amount' } } },
    });
  });
});

describe('the idempotency key of an attempt', () => {
  test('replaces the key only when the outcome of the charge is certain', () => {
    expect(isCertain({ kind: 'approved', transaction: transaction({}) })).toBe(true);
    expect(isCertain({ kind: 'unconfirmed', transactionId: 'txn_1' })).toBe(true);
    expect(isCertain(refused('INVALID_CARD_NUMBER', 400))).toBe(true);
    expect(isCertain(refused('RESOURCE_CONFLICT', 409, { reason: 'order_held', orderId: 'ord_1' }))).toBe(true);
    expect(isCertain(refused('RESOURCE_CONFLICT', 409, { reason: 'no_open_shift', drawer: 'Drawer 1' }))).toBe(true);
    for (const open of [
      refused('INTERNAL_ERROR', 500),
      refused('RATE_LIMIT_EXCEEDED', 429),
      refused('RESOURCE_CONFLICT', 409),
      refused('RESOURCE_CONFLICT', 409, { reason: 'request_interrupted' }, 'Idempotency-Key'),
      { kind: 'no-response' } as ChargeResult,
    ]) {
      expect(isCertain(open)).toBe(false);
    }
  });
});

test('holds back the same card and amount while it is unconfirmed, and nothing else', () => {
  const open = [{ ...CHARGE, transactionId: 'txn_1', reason: 'no-response' as const }];
  expect(findSameCharge(open, CHARGE)).toBe(open[0]);
  expect(findSameCharge(open, { ...CHARGE, amount: '45.01' })).toBeUndefined();
  expect(findSameCharge(open, { ...CHARGE, methodLabel: 'Visa ••1111' })).toBeUndefined();
});

describe('the merchant’s settings', () => {
  test('requires security code and ZIP code by default', () => {
    for (const vtSettings of [undefined, null, {}, 'nonsense']) {
      expect(terminalSettings({ merchantId: 'mer_1', vtSettings })).toEqual({
        requireCode: true,
        channel: 'phone',
        requireZip: true,
        mode: 'card',
        modes: ['card', 'bank', 'saved'],
        type: 'sale',
        autoPrint: false,
        asksTip: false,
      });
    }
  });

  test("applies the merchant's settings if they are set", () => {
    const vtSettings = { requireCvv: false, requireZip: false, allowedModes: ['card', 'ach'], defaultType: 'auth', autoPrint: true };
    expect(terminalSettings({ merchantId: 'mer_1', vtSettings })).toEqual({
      requireCode: false,
      channel: 'phone',
      requireZip: false,
      mode: 'card',
      modes: ['card', 'bank'],
      type: 'auth',
      autoPrint: true,
      asksTip: false,
    });
  });
});

test('shows errors of the service at their field', () => {
  expect(formFieldOf('card.number')).toBe('number');
  expect(formFieldOf('card.expiryMonth')).toBe('expiry');
  expect(formFieldOf('merchantId')).toBeNull();
  expect(formFieldOf(undefined)).toBeNull();
});

test('announces a missing response without claiming an outcome', () => {
  expect(announcementText({ kind: 'no-response' })).not.toMatch(/declined|failed|approved/i);
});

test('announces a charge held for review, one being checked and an approved one differently', () => {
  const unconfirmed = { ...CHARGE, transactionId: 'txn_1' };
  const said = (reason: 'no-response' | 'held' | 'approved') =>
    announcementText({ kind: 'same-charge', earlier: { ...unconfirmed, reason }, charge: CHARGE });
  expect(said('no-response')).toBe('This charge is still unconfirmed. Charging again may charge the customer twice.');
  expect(said('approved')).toBe('This card was just charged the same amount. Charging again charges the customer twice.');
  expect(said('held')).toBe('The gateway is holding this charge for review. Charging again may charge the customer twice.');
});
