import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type Currency, money, tenantTime } from '#core/kernel';
import { NO_PARTS, splitParts } from '#core/sales/payments';
import { afterBalance, nextInstallment, type Plan, remainingOf, withDue } from '../../../core/billing/installments/progress.ts';
import { divide, scheduleOf } from '../../../core/billing/installments/schedule.ts';
import type { PlanRow } from '../../../core/billing/installments/schema.ts';

const USD = 'USD' as Currency;
const TODAY = '2027-01-31';
const NOW = tenantTime(Date.parse('2027-01-31T15:00:00.000Z'));
const CONTEXT = { now: NOW, zone: 'America/New_York', dunning: { retryIntervalsDays: [1, 3] } };

/** Returns a new plan of an invoice on which an amount was paid before. */
function planOf(minor: number, count: number, base = 0): Plan {
  const row = {
    id: 'ipl_1',
    amount_minor: minor,
    base_minor: base,
    paid_minor: 0,
    status: 'active',
    next_number: 1,
    failed_attempts: 0,
    unsent_tries: 0,
    retry_ms: null,
    last_payment_at: null,
    pending_transaction: null,
  } as unknown as PlanRow;
  const installments = divide(minor, count).map((amount_minor, index) => ({
    tenant_id: 'ten_1',
    plan_id: 'ipl_1',
    number: index + 1,
    due_date: addDays(TODAY, index * 7),
    amount_minor,
    paid_minor: 0,
    paid_at: null,
    transaction_id: null,
  }));
  return { row, installments };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0);
const counts = fc.integer({ min: 2, max: 60 });

test('divides an amount to the cent, with the remainder in the first installment', () => {
  expect(divide(10_000, 3)).toEqual([3_334, 3_333, 3_333]);
  fc.assert(
    fc.property(fc.integer({ min: 6_000, max: 100_000_000 }), counts, (minor, count) => {
      const [first = 0, ...others] = divide(minor, count);
      expect(sumOf([first, ...others])).toBe(minor);
      expect(new Set(others).size).toBe(1);
      expect(first - (others[0] ?? 0)).toBeLessThan(count);
    }),
  );
});

test('shares the tax of an invoice out to its installments to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6_000, max: 100_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), counts, (minor, share, count) => {
      const tax = Math.floor(minor * share);
      let [remaining, remainingTax] = [minor, tax];
      for (const amount of divide(minor, count)) {
        const part = splitParts(amount, remaining, { ...NO_PARTS, tax: remainingTax }).tax;
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(amount);
        // Each installment has the tax of its amount, to the cents that earlier ones rounded.
        expect(Math.abs(part - (amount * tax) / minor)).toBeLessThan(2);
        remaining -= amount;
        remainingTax -= part;
      }
      expect(remainingTax).toBe(0);
    }),
  );
});

test('keeps the last day of the month in monthly installments', () => {
  const schedule = scheduleOf({ count: 3, interval: 'monthly' }, money(30_000, USD), TODAY);
  expect(schedule.map(({ dueDate }) => dueDate)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
});

test('rejects given installments that do not add up, are out of order, or are in the past', () => {
  const give = (...installments: { dueDate: string; amount: string }[]) => scheduleOf({ installments }, money(10_000, USD), TODAY);
  const later = { dueDate: '2027-02-10', amount: '40.00' };
  expect(give({ dueDate: TODAY, amount: '60.00' }, later)).toHaveLength(2);
  expect(() => give({ dueDate: TODAY, amount: '60.01' }, later)).toThrow('add up to 100.01, but 100.00 is due');
  expect(() => give({ dueDate: '2027-02-10', amount: '60.00' }, later)).toThrow('later date');
  expect(() => give({ dueDate: '2027-01-30', amount: '60.00' }, later)).toThrow('in the past');
});

test('keeps the sum of paid and remaining installments equal to the plan after random payments and voids', () => {
  const payment = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), isVoid: fc.boolean() });
  fc.assert(
    fc.property(
      fc.integer({ min: 6_000, max: 1_000_000 }),
      counts,
      fc.nat(50_000),
      fc.array(payment, { maxLength: 30 }),
      (minor, count, base, payments) => {
        let plan = planOf(minor, count, base);
        let paid = 0;
        for (const { share, isVoid } of payments) {
          const amount = Math.ceil(share * (isVoid ? paid : minor - paid));
          paid += isVoid ? -amount : amount;
          plan = afterBalance(plan, base + paid, { transactionId: 'txn_1', isVoid }, CONTEXT);
          const { installments, row } = plan;
          expect(sumOf(installments.map(({ paid_minor }) => paid_minor))).toBe(paid);
          expect(sumOf(installments.map(remainingOf))).toBe(minor - paid);
          expect(row.paid_minor).toBe(paid);
          // Payments pay installments in their order: before the next one all are paid, after it none is.
          const next = nextInstallment(plan);
          expect(row.next_number).toBe(next?.number ?? null);
          for (const each of installments) {
            if (next === null || each.number < next.number) expect(remainingOf(each)).toBe(0);
            else if (each.number > next.number) expect(each.paid_minor).toBe(0);
          }
          expect(row.status === 'completed').toBe(paid === minor);
          if (row.status !== 'active') expect(withDue(plan, CONTEXT).due_ms).toBeNull();
        }
      },
    ),
  );
});
