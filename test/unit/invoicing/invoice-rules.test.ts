import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#core/kernel';
import { afterPayment, afterVoid, checkPayable, payableAmount } from '../../../core/billing/invoicing/balance.ts';
import { deadlineOf, overdueAtMs } from '../../../core/billing/invoicing/due-times.ts';
import { itemsFrom, itemsOf, storedItems, sumOf } from '../../../core/billing/invoicing/items.ts';
import type { InvoiceRow, InvoiceStatus } from '../../../core/billing/invoicing/schema.ts';
import { INVOICE_STEPS, type InvoiceOperation } from '../../../core/billing/invoicing/steps.ts';

const USD = 'USD' as Currency;
const JPY = 'JPY' as Currency;
const usd = (minor: number) => money(minor, USD);

describe('states of an invoice', () => {
  const OPERATIONS: readonly InvoiceOperation[] = ['update', 'send', 'pay', 'cancel', 'overdue'];
  const NOT_DRAFT = 'RESOURCE_CONFLICT not_a_draft';
  const expected: Readonly<Record<InvoiceStatus, readonly string[]>> = {
    draft: ['draft', 'sent', 'partially_paid', 'cancelled', 'RESOURCE_CONFLICT draft'],
    sent: [NOT_DRAFT, 'sent', 'partially_paid', 'cancelled', 'overdue'],
    partially_paid: [NOT_DRAFT, 'partially_paid', 'partially_paid', 'cancelled', 'overdue'],
    overdue: [NOT_DRAFT, 'overdue', 'overdue', 'cancelled', 'RESOURCE_CONFLICT overdue'],
    paid: OPERATIONS.map(() => 'INVOICE_ALREADY_PAID'),
    cancelled: OPERATIONS.map(() => 'INVOICE_CANCELLED'),
  };

  test.each(Object.entries(expected))('allows and refuses the specified operations in state %s', (status, row) => {
    const table = INVOICE_STEPS[status as InvoiceStatus];
    const shown = OPERATIONS.map((operation) => {
      const next = table[operation];
      if (typeof next === 'string') return next;
      return next.reason === undefined ? next.code : `${next.code} ${next.reason}`;
    });
    expect(shown).toEqual(row);
  });
});

const invoice = (overrides: Partial<InvoiceRow> = {}) =>
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

describe('a payment of an invoice', () => {
  test('accepts the unpaid, unreserved amount in the currency of the invoice', () => {
    expect(payableAmount(invoice({ paid_minor: 3_000, pending_minor: 2_000 }))).toEqual(usd(5_000));
  });

  test('accepts a payment up to the amount due and not above', () => {
    expect(() => checkPayable(invoice({ paid_minor: 3_000, pending_minor: 2_000 }), usd(5_000))).not.toThrow();
  });

  test('refuses a payment above the amount due, with the amounts due, requested and pending', () => {
    expect(() => checkPayable(invoice({ paid_minor: 3_000, pending_minor: 2_000 }), usd(5_001))).toThrowError(
      expect.objectContaining({
        code: 'PAYMENT_EXCEEDS_DUE',
        field: 'amount',
        details: { amountDue: usd(7_000), requestedAmount: usd(5_001), amountPending: usd(2_000) },
      }),
    );
  });

  test('requires an unpaid, unreserved amount if none is given', () => {
    expect(() => checkPayable(invoice({ paid_minor: 9_999 }), null)).not.toThrow();
    expect(() => checkPayable(invoice({ paid_minor: 4_000, pending_minor: 6_000 }), null)).toThrowError(
      expect.objectContaining({
        code: 'PAYMENT_EXCEEDS_DUE',
        details: { amountDue: usd(6_000), requestedAmount: usd(6_000), amountPending: usd(6_000) },
      }),
    );
  });

  test.each([
    ['paid', 'INVOICE_ALREADY_PAID'],
    ['cancelled', 'INVOICE_CANCELLED'],
  ] as const)('refuses a payment if the invoice is %s', (status, code) => {
    expect(() => checkPayable(invoice({ status }), usd(1))).toThrowError(expect.objectContaining({ code, details: { status } }));
  });

  test('marks the invoice as paid after a full payment, and as partially paid after less', () => {
    expect(afterPayment(invoice({ paid_minor: 3_000 }), 7_000, 'now')).toEqual({ paid_minor: 10_000, status: 'paid', paid_at: 'now' });
    expect(afterPayment(invoice({ paid_minor: 3_000 }), 6_999, 'now')).toEqual({ paid_minor: 9_999, status: 'partially_paid' });
  });
});

describe('an invoice whose payment was voided', () => {
  const noon = Date.parse('2027-06-15T12:00:00Z');
  const voided = (overrides: Partial<InvoiceRow>, minor: number, now = noon) =>
    afterVoid(invoice({ status: 'paid', paid_minor: 10_000, ...overrides }), minor, now, 'UTC');

  test('returns an invoice to draft only if it was never sent, nothing is paid and it is not a payment link', () => {
    expect(voided({ sent_at: null }, 10_000)).toEqual({ paid_minor: 0, paid_at: null, status: 'draft' });
    expect(voided({ sent_at: null }, 9_999)).toEqual({ paid_minor: 1, paid_at: null, status: 'partially_paid' });
    expect(voided({ sent_at: null, kind: 'link' }, 10_000)).toEqual({ paid_minor: 0, paid_at: null, status: 'sent' });
    expect(voided({}, 10_000)).toEqual({ paid_minor: 0, paid_at: null, status: 'sent' });
  });

  test('an invoice with a voided payment becomes overdue at the end of its due date', () => {
    const deadline = Date.parse('2027-07-01T00:00:00Z');
    expect(voided({}, 1, deadline - 1).status).toBe('partially_paid');
    expect(voided({}, 1, deadline).status).toBe('overdue');
  });

  test('keeps an invoice cancelled after a void', () => {
    expect(voided({ status: 'cancelled' }, 4_000)).toEqual({ paid_minor: 6_000 });
  });
});

describe('the due date of an invoice', () => {
  const end = Date.parse('2027-07-01T04:00:00Z');

  test('the due date ends at midnight in the time zone of the merchant', () => {
    expect(deadlineOf({ due_date: '2027-06-30' }, 'America/New_York')).toBe(end);
    expect(deadlineOf({ due_date: null }, 'America/New_York')).toBeNull();
  });

  test.each([
    ['draft', null],
    ['sent', end],
    ['partially_paid', end],
    ['overdue', null],
    ['paid', null],
    ['cancelled', null],
  ] as const)('schedules the overdue check of an invoice that is %s', (status, expected) => {
    expect(overdueAtMs({ status, due_date: '2027-06-30' }, 'America/New_York')).toBe(expected);
  });
});

describe('invoice items', () => {
  const item = (quantity: number | string, unitPrice: number | string, description = 'Hours') => ({ description, quantity, unitPrice });
  const refused = (input: ReturnType<typeof item>[], currency: Currency = USD) => {
    try {
      itemsFrom(input, currency);
    } catch (error) {
      return error as { code: string; field: string; message: string };
    }
    throw new Error('the items were accepted');
  };

  test('multiplies quantity and unit price of an item and rounds half up', () => {
    expect(itemsFrom([item('1.5', '0.33'), item('0.001', '4.99'), item('0.001', '5'), item(2, 0)], USD)).toEqual([
      { itemId: null, description: 'Hours', quantity: 1.5, unitPrice: usd(33), amount: usd(50) },
      { itemId: null, description: 'Hours', quantity: 0.001, unitPrice: usd(499), amount: usd(0) },
      { itemId: null, description: 'Hours', quantity: 0.001, unitPrice: usd(500), amount: usd(1) },
      { itemId: null, description: 'Hours', quantity: 2, unitPrice: usd(0), amount: usd(0) },
    ]);
  });

  test('trims the description of an item', () => {
    expect(itemsFrom([item(1, 1, '  Hours ')], USD)[0]?.description).toBe('Hours');
    expect(refused([item(1, 1), item(1, 1, '  ')])).toMatchObject({
      code: 'REQUIRED_FIELD_MISSING',
      field: 'items.1.description',
      message: '`items.1.description` is required.',
    });
  });

  test.each(['0', '0.0001', '-1', '1e3', '1234567890', 'x1', '1x', ''])('refuses an item with a quantity of %j', (quantity) => {
    expect(refused([item(quantity, 1)])).toMatchObject({ code: 'VALIDATION_ERROR', field: 'items.0.quantity' });
  });

  test('accepts an item with a quantity of nine digits and three decimals', () => {
    expect(itemsFrom([item('123456789.125', '0.01')], USD)[0]).toMatchObject({ quantity: 123_456_789.125, amount: usd(123_456_789) });
  });

  test.each(['0.001', '-1', '123456789012', 'x1', '1x', '1.', ''])('refuses an item with a unit price of %j in USD', (price) => {
    expect(refused([item(1, price)])).toMatchObject({ code: 'INVALID_AMOUNT', field: 'items.0.unitPrice' });
  });

  test('reads the unit price with the decimals of the currency', () => {
    expect(itemsFrom([item(1, '1.25')], USD)[0]?.unitPrice).toEqual(usd(125));
    expect(itemsFrom([item(1, '1.2')], USD)[0]?.unitPrice).toEqual(usd(120));
    expect(refused([item(1, '1.2')], JPY)).toMatchObject({ code: 'INVALID_AMOUNT' });
  });

  test('refuses an item or a sum of one hundred billion and more', () => {
    const most = '99999999999.99';
    expect(itemsFrom([item(1, most)], USD)[0]?.amount.minor).toBe(9_999_999_999_999);
    expect(refused([item('1.001', most)])).toMatchObject({ code: 'INVALID_AMOUNT', field: 'items' });
    expect(sumOf(itemsFrom([item(1, '99999999999.98'), item(1, '0.01')], USD), USD).minor).toBe(9_999_999_999_999);
    expect(() => sumOf(itemsFrom([item(1, most), item(1, '0.01')], USD), USD)).toThrowError(
      expect.objectContaining({ code: 'INVALID_AMOUNT', field: 'items' }),
    );
  });

  test('stores a quantity without decimals as an integer', () => {
    const items = itemsFrom([item('1.5', '0.33')], USD);
    expect(JSON.parse(storedItems(items))).toEqual([{ description: 'Hours', thousandths: 1_500, unitMinor: 33, amountMinor: 50 }]);
    expect(itemsOf(storedItems(items), USD)).toEqual(items);
  });
});
