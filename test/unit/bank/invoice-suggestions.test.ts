import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDepositFinder } from '../../../core/books/bank/matching/deposits.ts';
import { createInvoiceFinder, type OpenInvoice, type PayerRule } from '../../../core/books/bank/matching/invoices.ts';
import { payerText } from '../../../core/books/bank/rules.ts';
import { compactText } from '../../../shared/compact-text.ts';

const invoice = (number: number, minor: number, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: `inv_${number}`,
  number: `INV-${String(number).padStart(6, '0')}`,
  customerId: null,
  names: [],
  minor,
  day: '2026-03-01',
  dueDay: '2026-03-31',
  ...more,
});
const NOTHING_HELD = new Map<never, never>();
function finderOf(invoices: readonly OpenInvoice[], payers: readonly PayerRule[] = [], lastNumber = 0) {
  const hasInvoices = invoices.length > 0;
  const finder = createInvoiceFinder({ hasInvoices, lastNumber, payers, held: NOTHING_HELD, onHeldNamed: () => {} });
  finder.add(invoices);
  return finder;
}

/** Returns what the text of a line suggests, as the reason and the paid amounts by invoice. */
function suggest(
  text: string,
  minor: number,
  invoices: readonly OpenInvoice[],
  payers: readonly PayerRule[] = [],
  { day = '2026-03-05', lastNumber = 0 } = {},
) {
  const finder = finderOf(invoices, payers, lastNumber);
  const [line, compact] = [{ id: 'l', day, minor, text }, compactText(text)];
  const customers = finder.customersIn(compact);
  const found = finder.byText(line, compact, customers) ?? finder.byAmount(line, customers);
  return found && [found.reason, Object.fromEntries(found.parts.map((part) => [part.invoiceId, part.minor])), found.isAmbiguous ?? false];
}

describe('numbers of invoices in bank texts', () => {
  const open = [invoice(123, 5_000), invoice(124, 7_000), invoice(91_734, 9_900)];

  test.each([
    'INV-000123',
    'inv 123',
    'INVOICE NO. 123 THANK YOU',
    'Invoice #000123',
    'INV000123',
    'PAYMENT FOR INV- 000123/ACME',
    'INV-0001 23 ACME',
    'INV-OOO123',
    'EREF 99887 INV-00012320260305',
  ])('are read in %s', (text) => {
    expect(suggest(text, 5_000, open)).toEqual(['invoice_number', { inv_123: 5_000 }, false]);
  });

  test.each(['INV-000123, 124', 'INV-000123 / INV-000124', 'INVOICES 123 + 124', 'INV-000123 INV-000124'])(
    'are read one after another in %s',
    (text) => {
      expect(suggest(text, 12_000, open)).toEqual(['invoice_number', { inv_123: 5_000, inv_124: 7_000 }, false]);
    },
  );

  test('pay a part, and leave the rest of a higher amount open', () => {
    expect(suggest('INV-000123', 4_000, open)).toEqual(['invoice_number', { inv_123: 4_000 }, false]);
    expect(suggest('INV-000123', 6_000, open)).toEqual(['invoice_number', { inv_123: 5_000 }, false]);
    expect(suggest('INV-000123, 124', 6_000, open)).toEqual(['invoice_number', { inv_123: 5_000, inv_124: 1_000 }, false]);
  });

  test('without a prefix count only with an equal amount', () => {
    expect(suggest('ORDER 123', 5_000, open)).toEqual(['invoice_number', { inv_123: 5_000 }, false]);
    expect(suggest('ORDER 123', 5_001, open)).toBeNull();
    expect(suggest('REFUND FROM AMAZON INVOICE 123', 9_999, open)).toEqual(['invoice_number', { inv_123: 5_000 }, true]);
    expect(suggest('TRANSFER 2026-03-05 12.30', 5_001, open)).toBeNull();
  });

  test('with any single typing error are found if the amount is equal, and never otherwise', () => {
    const digits = fc.integer({ min: 1, max: 999_999 });
    const error = fc.record({ kind: fc.constantFrom('wrong', 'exchanged', 'missing', 'additional'), at: fc.nat(5), digit: fc.nat(9) });
    fc.assert(
      fc.property(digits, error, (number, { kind, at, digit }) => {
        const right = String(number).padStart(6, '0');
        const [before, after] = [right.slice(0, at), right.slice(at)];
        const written = {
          wrong: `${before}${digit}${after.slice(1)}`,
          exchanged: `${before}${after.charAt(1)}${after.charAt(0)}${after.slice(2)}`,
          missing: `${before}${after.slice(1)}`,
          additional: `${before}${digit}${after}`,
        }[kind] as string;
        fc.pre(Number(written) !== number && (kind !== 'exchanged' || at < 5) && Number(written) > 0);
        // Numbers without zeros before them are whole, whatever their length.
        fc.pre(kind !== 'missing' || written.startsWith('0') || written.length === 5);
        const own = invoice(number, 4_200);
        expect(suggest(`INV-${written}`, 4_200, [own])).toEqual(['invoice_typo', { [own.id]: 4_200 }, false]);
        expect(suggest(`INV-${written}`, 4_201, [own])).toBeNull();
      }),
    );
  });

  test('with a typing error are decided by the name of the customer, or not at all', () => {
    const two = [
      invoice(130, 5_000, { customerId: 'a', names: ['Acme Roofing LLC'] }),
      invoice(150, 5_000, { customerId: 'b', names: ['Ines Brandt'] }),
    ];
    expect(suggest('INV-000140', 5_000, two)).toBeNull();
    expect(suggest('INV-000140 ACME ROOFING', 5_000, two)).toEqual(['invoice_typo', { inv_130: 5_000 }, false]);
    const other = [invoice(131, 8_000, { customerId: 'c', names: ['Alice Liddell'] }), ...two];
    expect(suggest('INV-000140 ALICE LIDDELL', 5_000, other)).toBeNull();
  });

  test('of an invoice that is not open are no typing error, and the money of its customer is not given to another one', () => {
    const bob = invoice(124, 5_000, { customerId: 'b', names: ['Bob Okafor'] });
    const alice = invoice(126, 5_000, { customerId: 'a', names: ['Alice Liddell'] });
    const last = { lastNumber: 126 };
    expect(suggest('TRANSFER INV-000123 ALICE', 5_000, [bob], [], last)).toEqual(['duplicate', {}, false]);
    expect(suggest('TRANSFER INV-000123', 7_000, [bob], [], last)).toEqual(['duplicate', {}, false]);
    expect(suggest('INV-000123 ALICE LIDDELL', 5_000, [bob, alice], [], last)).toEqual(['customer_name', { inv_126: 5_000 }, true]);
    expect(
      suggest(
        'ALICE LIDDELL',
        5_000,
        [
          { ...bob, minor: 5_000 },
          { ...alice, minor: 8_000 },
        ],
        [],
        last,
      ),
    ).toBeNull();
    expect(suggest('INV-000128', 5_000, [bob], [], last)).toEqual(['invoice_typo', { inv_124: 5_000 }, false]);
  });
});

describe('customers in bank texts', () => {
  const open = [
    invoice(1, 5_000, { customerId: 'a', names: ['Ann Marsh'], dueDay: '2026-03-20' }),
    invoice(2, 5_000, { customerId: 'a', names: ['Ann Marsh'], dueDay: '2026-03-10' }),
    invoice(3, 3_000, { customerId: 'a', names: ['Ann Marsh'] }),
    invoice(4, 8_800, { customerId: 'b', names: ['Ben Ott', 'Northwind GmbH'] }),
  ];
  const rule = { id: 'r', contains: 'MARSH HOLDING', customerId: 'a' };

  test('are found by their names in both orders and without the legal form', () => {
    expect(suggest('SEPA NORTHWIND', 8_800, open)).toEqual(['customer_name', { inv_4: 8_800 }, false]);
    expect(suggest('MARSH, ANN', 3_000, open)).toEqual(['customer_name', { inv_3: 3_000 }, false]);
    expect(suggest('MARSH, ANN', 4_000, open)).toBeNull();
  });

  test('pay the invoice that is due first, several ones, or all', () => {
    expect(suggest('ANN MARSH', 5_000, open)).toEqual(['customer_name', { inv_2: 5_000 }, true]);
    expect(suggest('ANN MARSH', 10_000, open)?.[1]).toEqual({ inv_1: 5_000, inv_2: 5_000 });
    expect(suggest('ANN MARSH', 13_000, open)?.[1]).toEqual({ inv_1: 5_000, inv_2: 5_000, inv_3: 3_000 });
  });

  test('that have paid before are recognized by the learned text, and may pay more than is due', () => {
    expect(suggest('WIRE MARSH HOLDING', 3_000, open, [rule])).toEqual(['former_payer', { inv_3: 3_000 }, false]);
    expect(suggest('WIRE MARSH HOLDING', 20_000, open, [rule])).toEqual([
      'former_payer',
      { inv_1: 5_000, inv_2: 5_000, inv_3: 3_000 },
      true,
    ]);
    const [first] = open as [OpenInvoice];
    expect(suggest('WIRE MARSH HOLDING', 1_000, [first], [rule])).toEqual(['former_payer', { inv_1: 1_000 }, true]);
    expect(suggest('WIRE MARSH HOLDING ANN MARSH', 1_000, [first], [rule])).toEqual(['former_payer', { inv_1: 1_000 }, false]);
    const shared = [rule, { ...rule, id: 's', customerId: 'b' }];
    expect(suggest('WIRE MARSH HOLDING', 8_800, open, shared)).toEqual(['former_payer', { inv_4: 8_800 }, true]);
    expect(suggest('WIRE MARSH HOLDING', 20_000, open, shared)).toBeNull();
    // A text of three customers is one of the bank.
    const ofBank = [...shared, { ...rule, id: 't', customerId: 'c' }];
    expect(suggest('WIRE MARSH HOLDING', 10_000, open, ofBank)).toBeNull();
  });

  test('are not paid by an outsider whose rule has the name of another customer', () => {
    const mallory = invoice(123, 90_000, { customerId: 'm', names: ['Mallory Quick'] });
    const acme = invoice(124, 50_000, { customerId: 'a', names: ['Acme Roofing LLC'] });
    const planted = { id: 'p', contains: 'ACME ROOFING', customerId: 'm' };
    const text = 'ACH CREDIT ACME ROOFING LLC';
    expect(suggest(text, 50_000, [mallory, acme], [planted])).toEqual(['customer_name', { inv_124: 50_000 }, true]);
    expect(suggest(text, 1_234, [mallory, acme], [planted])).toBeNull();
    expect(suggest(text, 90_000, [mallory, acme], [planted])).toEqual(['former_payer', { inv_123: 90_000 }, true]);
  });

  test('pay no invoice that is newer than the line', () => {
    const later = { day: '2026-02-03' };
    expect(suggest('SEPA NORTHWIND', 8_800, open, [], later)).toBeNull();
    expect(suggest('WIRE MARSH HOLDING', 3_000, open, [rule], later)).toBeNull();
    expect(suggest('INV-00005', 8_800, [invoice(15, 8_800)], [], later)).toBeNull();
    expect(suggest('INV-000004', 8_800, open, [], later)).toEqual(['invoice_number', { inv_4: 8_800 }, true]);
  });

  test.each([
    ['ACH CREDIT ACME ROOFING LLC INV-000123', 'ACME ROOFING LLC'],
    ['INCOMING WIRE TRANSFER FROM INES BRANDT REF 42', 'INES BRANDT'],
    ['SEPA 20260305 NORTHWIND TRADING COMPANY OF OHIO', 'NORTHWIND TRADING COMPANY OF'],
    ['TRANSFER 1234', null],
    ['REAL TIME PAYMENT RECEIVED', null],
    ['FASTER PAYMENTS RECEIPT 42', null],
    ['INTERAC E-TRANSFER', null],
    ['SEPA-GUTSCHRIFT INES BRANDT', 'INES BRANDT'],
  ])('are learned from %s', (text, learned) => {
    expect(payerText(text)).toBe(learned);
  });
});

const NOBODY = { all: new Set<string>(), byName: [] };

test('an amount alone suggests the only invoice that has it, once, and none that is newer than the line', () => {
  const finder = finderOf([invoice(1, 5_000), invoice(2, 5_000), invoice(3, 7_100), invoice(4, 9_300, { day: '2026-03-09' })]);
  const byAmount = (minor: number) => finder.byAmount({ id: 'l', day: '2026-03-05', minor }, NOBODY);
  expect(byAmount(5_000)).toBeNull();
  expect(byAmount(7_100)).toMatchObject({ reason: 'invoice_amount', parts: [{ invoiceId: 'inv_3' }] });
  expect(byAmount(7_100)).toBeNull();
  expect(byAmount(9_300)).toBeNull();
});

test('the parts of an invoice that lines are suggested for never exceed it, and those of a line never exceed the line', () => {
  const open = fc.array(fc.record({ minor: fc.integer({ min: 1, max: 400 }), customer: fc.constantFrom('a', 'b', 'c') }), {
    maxLength: 12,
  });
  const lines = fc.array(
    fc.record({ minor: fc.integer({ min: 1, max: 900 }), text: fc.integer({ min: 0, max: 14 }), named: fc.boolean() }),
    {
      maxLength: 25,
    },
  );
  const names = { a: 'Ann Marsh', b: 'Ben Ottoman', c: 'Cleo Okafor' };
  fc.assert(
    fc.property(open, lines, (invoices, made) => {
      const finder = finderOf(
        invoices.map(({ minor, customer }, index) => invoice(index + 1, minor, { customerId: customer, names: [names[customer as 'a']] })),
        [{ id: 'r', contains: 'OKAFOR', customerId: 'c' }],
      );
      const paid = new Map<string, number>();
      for (const [index, { minor, text, named }] of made.entries()) {
        const words = named ? `INV ${text}` : (['ANN MARSH', 'OTTOMAN BEN', 'WIRE OKAFOR'][text % 3] as string);
        const line = { id: `l${index}`, day: '2026-03-05', minor, text: words };
        const customers = finder.customersIn(compactText(words));
        const parts = (finder.byText(line, compactText(words), customers) ?? finder.byAmount(line, customers))?.parts ?? [];
        expect(parts.reduce((sum, part) => sum + part.minor, 0)).toBeLessThanOrEqual(minor);
        for (const { invoiceId = '', minor: part } of parts) {
          expect(part).toBeGreaterThan(0);
          paid.set(invoiceId, (paid.get(invoiceId) ?? 0) + part);
        }
      }
      for (const [index, { minor }] of invoices.entries()) expect(paid.get(`inv_${index + 1}`) ?? 0).toBeLessThanOrEqual(minor);
    }),
  );
});

describe('deposits', () => {
  const cash = (id: string, minor: number, day = '2026-03-03') => ({ kind: 'cash' as const, isShift: true, id, minor, day, kept: 0 });
  const check = (id: string, minor: number, day = '2026-03-03') => ({ kind: 'check' as const, isShift: false, id, minor, day, kept: 0 });
  const at = 20_517; // 2026-03-05

  test('contain the cash of a shift, all checks of some days, or both, each once', () => {
    const find = createDepositFinder(
      [cash('s1', 40_000), ...Array.from({ length: 9 }, (_, n) => check(`c${n}`, 1_000 + n)), cash('s2', 20_000, '2026-03-04')],
      NOTHING_HELD,
    );
    expect(find({ at, minor: 40_000 })?.parts).toEqual([{ kind: 'cash', shiftId: 's1', minor: 40_000 }]);
    expect(find({ at, minor: 40_000 })).toBeNull();
    expect(find({ at, minor: 9_036 })?.parts).toHaveLength(9);
    expect(find({ at, minor: 20_000 })?.parts).toEqual([{ kind: 'cash', shiftId: 's2', minor: 20_000 }]);
  });

  test('leave the float of a drawer in the shop, and what remains of a shift is no deposit if it is the float', () => {
    const shift = { ...cash('s1', 42_000), kept: 10_000 };
    expect(createDepositFinder([shift], NOTHING_HELD)({ at, minor: 32_000 })?.parts).toEqual([
      { kind: 'cash', shiftId: 's1', minor: 32_000 },
    ]);
    expect(createDepositFinder([shift], NOTHING_HELD)({ at, minor: 42_000 })?.parts).toEqual([
      { kind: 'cash', shiftId: 's1', minor: 42_000 },
    ]);
    const two = createDepositFinder([shift, { ...cash('s2', 21_000), kept: 10_000 }], NOTHING_HELD);
    expect(two({ at, minor: 43_000 })?.parts.map(({ minor }) => minor)).toEqual([11_000, 32_000]);
    const floats = ['s1', 's2', 's3'].map((id) => ({ ...cash(id, 10_000), kept: 10_000 }));
    expect(createDepositFinder(floats, NOTHING_HELD)({ at, minor: 30_000 })).toBeNull();
  });

  test('are not older than 14 days and not newer than the day after the line', () => {
    const find = createDepositFinder([cash('old', 500, '2026-02-18'), cash('new', 700, '2026-03-07')], NOTHING_HELD);
    expect(find({ at, minor: 500 })).toBeNull();
    expect(find({ at, minor: 700 })).toBeNull();
    expect(find({ at: at + 1, minor: 700 })).not.toBeNull();
  });
});
