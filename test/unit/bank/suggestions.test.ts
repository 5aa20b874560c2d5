import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessDaysAfter, dayNumber, lastExpectedDay } from '../../../core/books/bank/matching/business-days.ts';
import type { PaidBack } from '../../../core/books/bank/matching/deposits.ts';
import { type OpenPayout, type Rule, suggestMatches } from '../../../core/books/bank/matching/suggest.ts';
import type { OpenLine, Suggestion } from '../../../core/books/bank/matching/suggestion.ts';
import { findCombination } from '../../../core/books/bank/matching/sums.ts';
import { learnableText } from '../../../core/books/bank/rules.ts';
import { allUnpaid } from '../../support/unpaid-invoices.ts';

const line = (id: string, minor: number, text = 'TRANSFER', day = '2026-03-04'): OpenLine => ({ id, minor, text, day });
const payout = (id: string, minor: number, reference = id.padEnd(10, 'X'), day = '2026-03-03'): OpenPayout => ({
  id,
  minor,
  reference,
  day,
});

interface Options {
  readonly rules?: readonly Rule[];
  readonly covered?: readonly [string, string][];
  readonly pageLength?: number;
  readonly returned?: readonly PaidBack[];
}

/** Returns the suggestions by the ID of the line, and expects one result for each line. */
async function suggest(
  lines: OpenLine[],
  payouts: OpenPayout[],
  { rules = [], covered = [], pageLength = 5_000, returned = [] }: Options = {},
) {
  async function* pages() {
    for (let from = 0; from < lines.length; from += pageLength) yield lines.slice(from, from + pageLength);
  }
  const found: Record<string, Suggestion> = {};
  const ids: string[] = [];
  const receivables = { unpaid: allUnpaid([]), lastNumber: 0, payers: [], deposits: [], returned };
  const held = { held: new Map(), onHeldNamed: () => {} };
  const input = { currency: 'USD', pages: pages(), payouts, rules, ...receivables, covered: new Map(covered), ...held };
  for await (const results of suggestMatches(input, async () => {}))
    for (const { lineId, suggestion } of results) {
      ids.push(lineId);
      if (suggestion) found[lineId] = suggestion;
    }
  expect(ids.toSorted()).toEqual(lines.map(({ id }) => id).toSorted());
  return found;
}
const payoutIdsOf = (found: Awaited<ReturnType<typeof suggest>>, id: string) => found[id]?.parts.map(({ payoutId }) => payoutId);

describe('suggesting matches', () => {
  test('finds a payout by its reference, however the bank breaks and pads the text', async () => {
    const found = await suggest([line('l', 500, 'PAYDESK/ABCDE FGHIJ.ACME')], [payout('p', 500, 'ABCDEFGHIJ'), payout('q', 500)]);
    expect(found.l).toMatchObject({ reason: 'reference', parts: [{ kind: 'payout', payoutId: 'p', minor: 500 }] });
  });

  test('finds a payout that a line names twice, in its text and as the reference of the bank', async () => {
    const found = await suggest([line('l', 500, 'PAYOUT ABCDEFGHIJ ABCDEFGHIJ')], [payout('p', 500, 'ABCDEFGHIJ')]);
    expect(found.l).toMatchObject({ reason: 'reference', parts: [{ payoutId: 'p', minor: 500 }] });
  });

  test('finds references of any characters at any place of a text', async () => {
    const reference = fc.stringMatching(/^[A-Z2-7]{10}$/);
    const around = fc.stringMatching(/^[A-Z0-9 ]{0,30}$/);
    await fc.assert(
      fc.asyncProperty(reference, around, around, async (own, before, after) => {
        const found = await suggest([line('l', 500, `${before}${own}${after}`)], [payout('p', 500, own), payout('q', 500)]);
        expect(found.l).toMatchObject({ reason: 'reference', parts: [{ payoutId: 'p' }] });
      }),
    );
  });

  test('finds several payouts that one line names', async () => {
    const found = await suggest(
      [line('l', 800, 'ABCDEFGHIJ KLMNOPQRST')],
      [payout('p', 500, 'ABCDEFGHIJ'), payout('q', 300, 'KLMNOPQRST')],
    );
    expect(payoutIdsOf(found, 'l')).toEqual(['p', 'q']);
  });

  test('finds a payout by its amount within five business days, and not later', async () => {
    const friday = payout('p', 500, undefined, '2026-03-06');
    expect((await suggest([line('l', 500, 'X', '2026-03-13')], [friday])).l?.reason).toBe('amount');
    expect((await suggest([line('l', 500, 'X', '2026-03-14')], [friday])).l).toBeUndefined();
    expect((await suggest([line('l', 500, 'X', '2026-03-04')], [friday])).l).toBeUndefined();
  });

  test('marks a payout that others of the same amount could replace', async () => {
    expect((await suggest([line('l', 500)], [payout('p', 500), payout('q', 500)])).l?.isAmbiguous).toBe(true);
  });

  test('finds sums of two to six payouts', async () => {
    const payouts = [101, 203, 407, 811, 1_607, 3_203].map((minor, index) => payout(`p${index}`, minor));
    expect(payoutIdsOf(await suggest([line('l', 203 + 811)], payouts), 'l')?.toSorted()).toEqual(['p1', 'p3']);
    expect(payoutIdsOf(await suggest([line('l', 101 + 203 + 407 + 811 + 1_607 + 3_203)], payouts), 'l')).toHaveLength(6);
  });

  test('finds a gross payout with a withheld fee', async () => {
    const found = await suggest([line('l', 9_710, 'REF ABCDEFGHIJ')], [payout('p', 10_000, 'ABCDEFGHIJ')]);
    expect(found.l).toMatchObject({ reason: 'fee', parts: [{ payoutId: 'p', minor: 9_710, withheld: 290 }] });
  });

  test('finds no fee in an amount that is far below the payout', async () => {
    const found = await suggest([line('l', 5_000, 'REF ABCDEFGHIJ')], [payout('p', 10_000, 'ABCDEFGHIJ')]);
    expect(found.l).toMatchObject({ reason: 'amount_differs', parts: [], payoutIds: ['p'] });
  });

  test('finds that a line repeats another one, or a payout that was matched before', async () => {
    const lines = [line('l', 500, 'ABCDEFGHIJ'), line('m', 500, 'ABCDEFGHIJ'), line('n', 700, 'KLMNOPQRST')];
    const found = await suggest(lines, [payout('p', 500, 'ABCDEFGHIJ')], { covered: [['KLMNOPQRST', 'q']] });
    expect(found.l?.reason).toBe('reference');
    expect(found.m).toMatchObject({ reason: 'duplicate', parts: [], lineId: 'l' });
    expect(found.n).toMatchObject({ reason: 'duplicate', payoutIds: ['q'] });
  });

  test('finds that the references of two payouts were exchanged', async () => {
    const found = await suggest(
      [line('l', 300, 'ABCDEFGHIJ'), line('m', 500, 'KLMNOPQRST')],
      [payout('p', 500, 'ABCDEFGHIJ'), payout('q', 300, 'KLMNOPQRST')],
    );
    expect([found.l?.reason, found.m?.reason]).toEqual(['amount_differs', 'amount_differs']);
  });

  test('applies the longest rule whose text a line contains', async () => {
    const rules: Rule[] = [
      { id: 'r1', contains: 'acme', kind: 'own' },
      { id: 'r2', contains: 'Acme Processing', kind: 'fee' },
    ];
    const found = await suggest([line('l', -500, 'ACME  PROCESSING 03/26')], [], { rules });
    expect(found.l).toMatchObject({ reason: 'rule', ruleId: 'r2', parts: [{ kind: 'fee', minor: -500 }] });
  });

  test('suggests each payout once, and never more than it has', async () => {
    const minors = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(minors, minors, async (lineMinors, payoutMinors) => {
        const lines = lineMinors.map((minor, index) => line(`l${index}`, minor));
        const payouts = payoutMinors.map((minor, index) => payout(`p${index}`, minor));
        const found = await suggest(lines, payouts);
        const parts = Object.values(found).flatMap((suggestion) => suggestion.parts);
        expect(new Set(parts.map(({ payoutId }) => payoutId)).size).toBe(parts.length);
        for (const { payoutId, minor, withheld = 0 } of parts)
          expect(minor + withheld).toBe(payouts.find(({ id }) => id === payoutId)?.minor);
        for (const [id, suggestion] of Object.entries(found))
          expect(suggestion.parts.reduce((sum, part) => sum + part.minor, 0)).toBe(lines.find((each) => each.id === id)?.minor);
      }),
    );
  });
});

describe('suggesting matches for lines in several pages', () => {
  const dayAfter = (count: number) => new Date(Date.UTC(2026, 2, 3 + count)).toISOString().slice(0, 10);

  test('gives the same suggestions for pages of any length', async () => {
    const drawnLine = fc.record({ day: fc.nat(40), minor: fc.integer({ min: -2, max: 12 }), named: fc.option(fc.nat(11)) });
    const drawnPayout = fc.record({ day: fc.nat(30), minor: fc.integer({ min: 1, max: 12 }) });
    const inOrder = <Drawn extends { readonly day: number }>(drawn: Drawn[]) => drawn.toSorted((left, right) => left.day - right.day);
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawnLine, { maxLength: 30 }),
        fc.array(drawnPayout, { maxLength: 12 }),
        fc.integer({ min: 1, max: 8 }),
        async (drawnLines, drawnPayouts, pageLength) => {
          const payouts = inOrder(drawnPayouts).map(({ day, minor }, index) =>
            payout(`p${index}`, minor, `REFERENCE${'ABCDEFGHIJKL'[index]}`, dayAfter(day)),
          );
          // A line that names a payout is booked up to two weeks after it.
          const lines = inOrder(
            drawnLines.map(({ day, minor, named }) => {
              const own = named === null ? undefined : drawnPayouts.length > named ? inOrder(drawnPayouts)[named] : undefined;
              return own
                ? { day: own.day + (day % 14), minor, text: `REFERENCE${'ABCDEFGHIJKL'[named as number]}` }
                : { day, minor, text: 'X' };
            }),
          ).map(({ day, minor, text }, index) => line(`l${String(index).padStart(2, '0')}`, minor, text, dayAfter(day)));
          expect(await suggest(lines, payouts, { pageLength })).toEqual(await suggest(lines, payouts));
        },
      ),
    );
  });

  test('prefers a later line that names the payout to one of the same amount', async () => {
    const lines = [line('l', 500), ...Array.from({ length: 20 }, (_, index) => line(`m${index}`, 7, 'X', dayAfter(index)))];
    const naming = line('n', 500, 'ABCDEFGHIJ', dayAfter(13));
    const found = await suggest([...lines.slice(0, 14), naming, ...lines.slice(14)], [payout('p', 500, 'ABCDEFGHIJ')], { pageLength: 3 });
    expect(found.l).toBeUndefined();
    expect(found.n).toMatchObject({ reason: 'reference', parts: [{ payoutId: 'p' }] });
  });

  test('prefers a later line of the amount of a payout to a sum', async () => {
    const lines = [
      line('l', 800, 'X', dayAfter(0)),
      line('m', 500, 'X', dayAfter(6)),
      line('n', 300, 'X', dayAfter(6)),
      line('o', 9, 'X', dayAfter(60)),
    ];
    const found = await suggest(lines, [payout('p', 500), payout('q', 300)], { pageLength: 1 });
    expect([found.l, found.m?.reason, found.n?.reason]).toEqual([undefined, 'amount', 'amount']);
  });
});

describe('combining payouts', () => {
  test('finds a combination whenever one exists', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 10 }),
        fc.integer({ min: 2, max: 6 }),
        (minors, count) => {
          const items = minors.map((minor) => ({ minor }));
          const sum = minors.slice(0, count).reduce((total, minor) => total + minor, 0);
          const found = findCombination(items, sum);
          expect(found?.items.reduce((total, { minor }) => total + minor, 0)).toBe(sum);
        },
      ),
    );
  });

  test('ends after a bounded number of steps', () => {
    const items = Array.from({ length: 24 }, (_, index) => ({ minor: 2 * (1_000_000 + index * index) }));
    const budget = { steps: 4_000 };
    expect(findCombination(items, 6_000_001, budget)).toBeNull();
    expect(budget.steps).toBeGreaterThanOrEqual(0);
  });
});

describe('suggesting refunds of bank transfers', () => {
  const refund = (more: Partial<PaidBack> = {}): PaidBack => ({
    kind: 'refund',
    id: 'r',
    day: '2026-03-04',
    minor: 500,
    numbers: ['T-000007', 'INV-000004'],
    names: ['Martin'],
    ...more,
  });
  const suggested = async (text: string, more?: Partial<PaidBack>, day?: string) =>
    (await suggest([line('l', -500, text, day)], [], { returned: [refund(more)] })).l;

  test.each(['REFUND T-000007', 'RETURN INV-000004', 'INVOICE NO 4', 'TO MARTIN 07 03', 'PAYMENT MAR TIN'])(
    'is certain of a refund that %s names',
    async (text) => {
      const suggestion = await suggested(text);
      expect(suggestion).toMatchObject({ reason: 'refund', parts: [{ refundId: 'r' }] });
      expect(suggestion).not.toHaveProperty('isAmbiguous');
    },
  );

  test.each(['BATCH 7', '07 04 2026', 'TRANSFER 000007', 'TO MARTINEZ', 'SANMARTIN'])('is uncertain of a refund after %s', async (text) => {
    expect(await suggested(text)).toMatchObject({ reason: 'refund', isAmbiguous: true });
  });

  test('suggests no refund that is recorded more than ten days after the line', async () => {
    expect(await suggested('REFUND T-000007', { day: '2026-03-14' })).toMatchObject({ reason: 'refund' });
    expect(await suggested('REFUND T-000007', { day: '2026-03-15' })).toBeUndefined();
  });

  test('is certain of a returned check by its bare number', async () => {
    const suggestion = await suggested('RETURNED CHECK 1042', { kind: 'check', numbers: ['1042'], names: [] });
    expect(suggestion).toMatchObject({ reason: 'deposit' });
    expect(suggestion).not.toHaveProperty('isAmbiguous');
  });
});

test('counts business days from Monday to Friday', () => {
  expect(businessDaysAfter(dayNumber('2026-03-06'), 1, 'USD')).toBe(dayNumber('2026-03-09'));
  expect(lastExpectedDay('2026-03-07', 'USD')).toBe('2026-03-13');
});

test.each([
  ['ACME PROCESSING FEE 03/2026 REF 88', 'ACME PROCESSING FEE'],
  ['4711 MONTHLY SERVICE CHARGE FOR CARDS AND MORE', 'MONTHLY SERVICE CHARGE FOR'],
  ['INV 12345', null],
  ['12345 678', null],
])('learns the stable words of %s', (text, expected) => {
  expect(learnableText(text)).toBe(expected);
});
