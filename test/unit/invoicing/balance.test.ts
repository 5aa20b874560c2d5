import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#core/kernel';
import { afterPayment, afterVoid, checkPayable, payableAmount } from '../../../core/billing/invoicing/balance.ts';
import type { InvoiceRow, InvoiceStatus } from '../../../core/billing/invoicing/schema.ts';
import { INVOICE_STEPS } from '../../../core/billing/invoicing/steps.ts';

const NOW = Date.parse('2027-06-15T12:00:00Z');
const row = (overrides: Partial<InvoiceRow>) =>
  ({
    kind: 'invoice',
    sent_at: '2027-06-01T00:00:00.000Z',
    currency: 'USD',
    amount_minor: 10_000,
    paid_minor: 0,
    pending_minor: 0,
    status: 'sent',
    due_date: '2027-06-30',
    overdue_at: null,
    ...overrides,
  }) as InvoiceRow;
const usd = (minor: number) => money(minor, 'USD' as Currency);

describe('paid and due amounts of an invoice', () => {
  test('accepts payments up to the unpaid, unreserved balance, and marks the invoice as paid after all of it', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), fc.integer({ min: 1, max: 20_000 }), (paid, pending, asked) => {
        fc.pre(paid < 10_000 && paid + pending <= 10_000);
        const before = row({ paid_minor: paid, pending_minor: pending, status: paid > 0 ? 'partially_paid' : 'sent' });
        const left = payableAmount(before).minor;
        expect(left).toBe(10_000 - paid - pending);
        if (asked > left) {
          expect(() => checkPayable(before, usd(asked))).toThrow('more than the amount due');
          return;
        }
        checkPayable(before, usd(asked));
        const after = afterPayment(before, asked, 'now');
        expect(after.paid_minor).toBe(paid + asked);
        expect(after.status).toBe(after.paid_minor === 10_000 ? 'paid' : 'partially_paid');
      }),
    );
  });

  test('paying a part of an overdue invoice leaves it overdue', () => {
    expect(afterPayment(row({ status: 'overdue' }), 1, 'now')).toEqual({ paid_minor: 1, status: 'overdue' });
    expect(afterPayment(row({ status: 'overdue' }), 10_000, 'now')).toMatchObject({ status: 'paid' });
  });

  test.each([
    [{ status: 'paid', paid_minor: 10_000 }, 10_000, 'sent'],
    [{ status: 'paid', paid_minor: 10_000 }, 4_000, 'partially_paid'],
    [{ status: 'partially_paid', paid_minor: 4_000 }, 4_000, 'sent'],
    [{ status: 'paid', paid_minor: 10_000, due_date: '2027-06-14' }, 10_000, 'overdue'],
    [{ status: 'paid', paid_minor: 10_000, due_date: '2027-06-15' }, 10_000, 'sent'],
    [{ status: 'paid', paid_minor: 10_000, overdue_at: '2027-06-01T00:00:00.000Z' }, 10_000, 'overdue'],
    [{ status: 'paid', paid_minor: 10_000, due_date: null }, 10_000, 'sent'],
    [{ status: 'paid', paid_minor: 10_000, sent_at: null, due_date: '2027-06-14' }, 10_000, 'draft'],
    [{ status: 'paid', paid_minor: 10_000, sent_at: null }, 4_000, 'partially_paid'],
    [{ status: 'paid', paid_minor: 10_000, sent_at: null, kind: 'link', due_date: null }, 10_000, 'sent'],
  ] as const)('leaves %o without %i as %s after a void', (before, without, status) => {
    expect(afterVoid(row(before), without, NOW, 'UTC')).toMatchObject({ status, paid_at: null });
  });

  test('reduces the paid amount of a canceled invoice after a void, and keeps its status', () => {
    expect(afterVoid(row({ status: 'cancelled', paid_minor: 400 }), 400, NOW, 'UTC')).toEqual({ paid_minor: 0 });
  });

  test('decides every operation in every state', () => {
    const states: InvoiceStatus[] = ['draft', 'sent', 'partially_paid', 'paid', 'overdue', 'cancelled'];
    expect(Object.keys(INVOICE_STEPS).toSorted()).toEqual(states.toSorted());
    for (const state of states)
      expect(Object.keys(INVOICE_STEPS[state]).toSorted()).toEqual(['cancel', 'overdue', 'pay', 'send', 'update']);
  });
});
