import { describe, expect, test } from 'vitest';
import type { Work } from '#core/database';
import { type Currency, money } from '#core/kernel';
import { countSettled, post } from '../../../core/records/ledger/posting.ts';
import { BALANCES, TRANSFERS, type TransferKind, UNSETTLED_LINES } from '../../../core/records/ledger/schema.ts';

const USD = 'USD' as Currency;
const OWNER = { tenant_id: 'ten_1', merchant_id: 'mer_1', currency: USD };

/** Records the writes of a unit of work. */
function recorder() {
  const counts: unknown[] = [];
  const inserts: unknown[] = [];
  const work = {
    count: (...overrides: unknown[]) => counts.push(overrides),
    insert: (...overrides: unknown[]) => void inserts.push(overrides),
  } as unknown as Work;
  return { work, counts, inserts };
}

const transfer = (kind: TransferKind, minor = 1_250) => ({
  tenantId: 'ten_1',
  merchantId: 'mer_1',
  id: 'att_1',
  kind,
  amount: money(minor, USD),
  subjectId: 'txn_1',
  day: '2026-11-20',
  at: '2026-11-20T10:00:00.000Z',
});

/** Debited account, credited account and unsettled lines of each kind of transfer. */
const EXPECTED: Readonly<Record<TransferKind, readonly [debit: string, credit: string, lines: number]>> = {
  capture: ['processor', 'unsettled', 1],
  capture_reversed: ['unsettled', 'processor', -1],
  refund: ['unsettled', 'processor', 1],
  credit: ['credited', 'processor', 0],
  refund_outside: ['refunded_outside', 'own_funds', 0],
  settlement: ['unsettled', 'settled', 0],
  settlement_owed: ['settled', 'unsettled', 0],
  fee: ['settled', 'fees', 0],
  payout: ['settled', 'paid_out', 0],
  chargeback: ['unsettled', 'processor', 1],
  chargeback_reversed: ['processor', 'unsettled', 1],
  dispute_fee: ['unsettled', 'fees', 1],
  tip: ['sales', 'tips', 0],
  tip_reversed: ['tips', 'sales', 0],
  tip_refunded: ['tips', 'sales', 0],
  late_fee: ['sales', 'late_fees', 0],
  late_fee_reversed: ['late_fees', 'sales', 0],
  surcharge: ['sales', 'surcharges', 0],
  surcharge_reversed: ['surcharges', 'sales', 0],
  surcharge_refunded: ['surcharges', 'sales', 0],
  tax: ['sales', 'taxes', 0],
  tax_reversed: ['taxes', 'sales', 0],
  tax_refunded: ['taxes', 'sales', 0],
  gift_card_sale: ['gift_cards', 'tender_sales', 0],
  gift_card_refund: ['tender_sales', 'gift_cards', 0],
  gift_card_sold: ['sales', 'gift_cards', 0],
  gift_card_taken_back: ['gift_cards', 'sales', 0],
  gift_card_given: ['gift_cards_given', 'gift_cards', 0],
  gift_card_imported: ['own_funds', 'gift_cards', 0],
  gift_card_expired: ['gift_cards', 'gift_cards_expired', 0],
  gift_card_reinstated: ['gift_cards_expired', 'gift_cards', 0],
  store_credit_refund: ['refunded_outside', 'gift_cards', 0],
  bank_deposit: ['paid_out', 'bank', 0],
  bank_deposit_reversed: ['bank', 'paid_out', 0],
  bank_fee: ['bank', 'bank_fees', 0],
  bank_fee_reversed: ['bank_fees', 'bank', 0],
  bank_chargeback: ['bank', 'bank_chargebacks', 0],
  bank_chargeback_reversed: ['bank_chargebacks', 'bank', 0],
  bank_invoice: ['tenders_deposited', 'bank', 0],
  bank_invoice_reversed: ['bank', 'tenders_deposited', 0],
  bank_cash: ['tenders_deposited', 'bank', 0],
  bank_cash_reversed: ['bank', 'tenders_deposited', 0],
  bank_check: ['tenders_deposited', 'bank', 0],
  bank_check_reversed: ['bank', 'tenders_deposited', 0],
  bank_refund: ['bank', 'tenders_deposited', 0],
  bank_refund_reversed: ['tenders_deposited', 'bank', 0],
  cash_sale: ['cash', 'tender_sales', 0],
  cash_refund: ['tender_sales', 'cash', 0],
  check_sale: ['checks', 'tender_sales', 0],
  check_refund: ['tender_sales', 'checks', 0],
  other_sale: ['other_tenders', 'tender_sales', 0],
  other_refund: ['tender_sales', 'other_tenders', 0],
  cash_in: ['cash', 'own_funds', 0],
  cash_out: ['own_funds', 'cash', 0],
  cash_over: ['cash', 'cash_differences', 0],
  cash_short: ['cash_differences', 'cash', 0],
  cash_rounded_up: ['cash', 'cash_differences', 0],
  cash_rounded_down: ['cash_differences', 'cash', 0],
};

describe('posting a transfer', () => {
  test.each(Object.entries(EXPECTED))('debits and credits the specified accounts of kind %s with the same amount', (kind, row) => {
    const [debit, credit, lines] = row;
    const { work, counts, inserts } = recorder();
    post(work, transfer(kind as TransferKind));
    expect(counts).toEqual([
      [BALANCES, { ...OWNER, account: debit }, 1_250],
      [BALANCES, { ...OWNER, account: credit }, -1_250],
      ...(lines === 0 ? [] : [[UNSETTLED_LINES, OWNER, lines]]),
    ]);
    expect(inserts).toEqual([
      [
        TRANSFERS,
        {
          ...OWNER,
          id: 'att_1',
          kind,
          debit,
          credit,
          amount_minor: 1_250,
          subject_id: 'txn_1',
          day: '2026-11-20',
          at: '2026-11-20T10:00:00.000Z',
          order_part: null,
        },
      ],
    ]);
  });

  test.each([0, -1])('refuses an amount of %i and writes nothing', (minor) => {
    const { work, counts, inserts } = recorder();
    expect(() => post(work, transfer('capture', minor))).toThrow();
    expect([counts, inserts]).toEqual([[], []]);
  });
});

describe('settling lines', () => {
  test('subtracts them from the unsettled lines of the merchant and currency', () => {
    const { work, counts } = recorder();
    countSettled(work, { tenantId: 'ten_1', merchantId: 'mer_1', currency: USD }, 3);
    expect(counts).toEqual([[UNSETTLED_LINES, OWNER, -3]]);
  });
});
