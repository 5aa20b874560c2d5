import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApprovalStatus } from '../../../core/access/approvals/records.ts';
import { NO_RULES, reasonFor } from '../../../core/access/approvals/rules.ts';
import { APPROVAL_STEPS, type ApprovalOperation } from '../../../core/access/approvals/steps.ts';
import { isTrivialPin } from '../../../core/access/identity/pins.ts';
import { type ApprovalSubject, allows, type GrantablePermission, money, parseCurrency, step } from '../../../core/kernel/index.ts';

const USD = parseCurrency('USD');
const NOW = Date.parse('2026-11-21T12:00:00Z');
const OPERATIONS: readonly ApprovalOperation[] = ['approve', 'reject', 'expire'];

const cashier = { credentialId: 'usr_1', permissions: new Set<GrantablePermission>(['refunds:write']) };
const manager = { credentialId: 'usr_2', permissions: new Set<GrantablePermission>(['refunds:write', 'approvals:write']) };
const key = { credentialId: 'key_1', permissions: new Set<GrantablePermission>(['refunds:write', 'approvals:write']) };

function subject(kind: ApprovalSubject['kind'], more: Partial<ApprovalSubject> = {}): ApprovalSubject {
  return { kind, merchantId: 'mer_1', resource: 'transactions/txn_1', amount: null, details: {}, ...more };
}

describe('the transition table of approvals', () => {
  test('is decided by the first operation only, in any history', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...OPERATIONS), { minLength: 1, maxLength: 12 }), (operations) => {
        let status: ApprovalStatus = 'pending';
        let decisions = 0;
        for (const operation of operations) {
          if (!allows(APPROVAL_STEPS, status, operation)) continue;
          status = step(APPROVAL_STEPS, status, operation);
          decisions += 1;
        }
        expect(decisions).toBe(1);
        expect(status).toBe({ approve: 'approved', reject: 'rejected', expire: 'expired' }[operations[0] ?? 'approve']);
      }),
    );
  });

  test('gives the status as the reason of each refusal', () => {
    for (const [status, row] of Object.entries(APPROVAL_STEPS))
      for (const next of Object.values(row))
        if (typeof next !== 'string') expect(next).toMatchObject({ code: 'RESOURCE_CONFLICT', reason: status });
  });
});

describe('approval rules', () => {
  test('require an approval exactly if the sum of the refunds is above the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (limit, refunded) => {
        const rules = { ...NO_RULES, refundAbove: limit / 100 };
        const refund = subject('refund', { amount: money(1, USD), total: money(refunded, USD) });
        expect(reasonFor(rules, refund, cashier, NOW) !== null).toBe(refunded > limit);
      }),
    );
  });

  test('require an approval of every refund in another currency than that of the limit', () => {
    const rules = { ...NO_RULES, refundAbove: 100, currency: USD };
    const refund = (code: string, minor: number) => subject('refund', { amount: money(minor, parseCurrency(code)) });
    expect(reasonFor(rules, refund('USD', 10_000), cashier, NOW)).toBeNull();
    for (const code of ['JPY', 'KWD'])
      expect(reasonFor(rules, refund(code, 1), cashier, NOW)).toBe(`Refunds in ${code} need two people, because the limit is 100 USD.`);
    expect(reasonFor(rules, refund('JPY', 1), manager, NOW)).toBeNull();
    expect(reasonFor({ ...rules, currency: parseCurrency('JPY') }, refund('JPY', 100), cashier, NOW)).toBeNull();
    expect(reasonFor({ ...rules, currency: parseCurrency('JPY') }, refund('JPY', 101), cashier, NOW)).not.toBeNull();
  });

  test('require an approval of a credit like that of a refund of its payment', () => {
    const credit = (total: number) => subject('unlinked_credit', { amount: money(1, USD), total: money(total, USD) });
    const rules = { ...NO_RULES, refundAbove: 100 };
    expect(reasonFor(rules, credit(10_000), cashier, NOW)).toBeNull();
    expect(reasonFor(rules, credit(10_001), cashier, NOW)).toBe(
      'Refunds above 100 USD need two people. With this credit, refunds and credits of the payment are 100.01 USD.',
    );
    expect(reasonFor(NO_RULES, credit(10_001), cashier, NOW)).toBeNull();
  });

  test('require an approval exactly if the discount is above the percentage of the price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (hundredths, price, taken) => {
          const rules = { ...NO_RULES, discountAbovePercent: hundredths / 100 };
          const discount = subject('discount', { amount: money(Math.min(taken, price), USD), price: money(price, USD) });
          expect(reasonFor(rules, discount, cashier, NOW) !== null).toBe(Math.min(taken, price) * 10_000 > price * hundredths);
        },
      ),
    );
  });

  test('state the percentage and the amounts of a discount', () => {
    const discount = subject('discount', { amount: money(1000, USD), price: money(5000, USD) });
    const reasonAbove = (discountAbovePercent: number) => reasonFor({ ...NO_RULES, discountAbovePercent }, discount, cashier, NOW);
    expect(reasonAbove(20)).toBeNull();
    expect(reasonAbove(19.99)).toBe('Discounts above 19.99 percent need two people. This one takes 10.00 USD off 50.00 USD.');
    expect(reasonAbove(0)).toBe('Discounts need two people. This one takes 10.00 USD off 50.00 USD.');
    expect(reasonFor({ ...NO_RULES, discountAbovePercent: 5 }, discount, manager, NOW)).toBeNull();
  });

  test('require an approval of a void after the time, not at it', () => {
    const rules = { ...NO_RULES, voidAfterMinutes: 30 };
    const reasonAfter = (ms: number) => reasonFor(rules, subject('void', { paidAt: new Date(NOW - ms).toISOString() }), cashier, NOW);
    expect(reasonAfter(30 * 60_000)).toBeNull();
    expect(reasonAfter(30 * 60_000 + 1)).toMatch(/30 minutes/);
  });

  test('exempt people who may approve from rules about payments, but never API keys, and nobody from changes of access', () => {
    const rules = { ...NO_RULES, unlinkedCredit: true, accessChanges: true };
    expect(reasonFor(rules, subject('unlinked_credit'), manager, NOW)).toBeNull();
    expect(reasonFor(rules, subject('unlinked_credit'), key, NOW)).not.toBeNull();
    expect(reasonFor({ ...rules, approversExempt: false }, subject('unlinked_credit'), manager, NOW)).not.toBeNull();
    expect(reasonFor(rules, subject('access_change'), manager, NOW)).not.toBeNull();
    const ofDrawer = { ...NO_RULES, drawerOpening: true };
    expect(reasonFor(ofDrawer, subject('drawer_opening'), cashier, NOW)).toMatch(/drawer/);
    expect(reasonFor(ofDrawer, subject('drawer_opening'), manager, NOW)).toBeNull();
  });

  test('require nothing by default', () => {
    for (const kind of ['refund', 'void', 'unlinked_credit', 'drawer_opening', 'discount', 'access_change'] as const)
      expect(
        reasonFor(
          NO_RULES,
          subject(kind, { amount: money(1_000_000, USD), price: money(1_000_000, USD), paidAt: '2020-01-01T00:00:00Z' }),
          cashier,
          NOW,
        ),
      ).toBeNull();
  });
});

test.each(['0000', '1234', '4321', '8901', '2468', '1212', '474747', '1984', '2024'])('recognizes a trivial PIN: %s', (pin) => {
  expect(isTrivialPin(pin)).toBe(pin !== '2468');
});
