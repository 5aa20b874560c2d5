import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessDaysAfter, dayNumber, lastExpectedDay } from '../../../core/bank/matching/business-days.ts';
import { type OpenLine, type OpenPayout, type Rule, suggestMatches } from '../../../core/bank/matching/suggest.ts';
import { findCombination } from '../../../core/bank/matching/sums.ts';
import { learnableText } from '../../../core/bank/rules.ts';

const line = (id: string, minor: number, text = 'TRANSFER', day = '2026-03-04'): OpenLine => ({ id, minor, text, day });
const payout = (id: string, minor: number, reference = id.padEnd(10, 'X'), day = '2026-03-03'): OpenPayout => ({
  id,
  minor,
  reference,
  day,
});

async function suggest(lines: OpenLine[], payouts: OpenPayout[], rules: Rule[] = [], covered: [string, string][] = []) {
  async function* pages() {
    yield lines;
  }
  const found = await suggestMatches({ currency: 'USD', pages: pages(), payouts, rules, covered: new Map(covered) }, async () => {});
  return Object.fromEntries(found);
}
const payoutIdsOf = (found: Awaited<ReturnType<typeof suggest>>, id: string) => found[id]?.parts.map(({ payoutId }) => payoutId);

describe('suggesting matches', () => {
  test('finds a payout by its reference, however the bank breaks and pads the text', async () => {
    const found = await suggest([line('l', 500, 'PAYDESK/ABCDE FGHIJ.ACME')], [payout('p', 500, 'ABCDEFGHIJ'), payout('q', 500)]);
    expect(found.l).toMatchObject({ reason: 'reference', parts: [{ kind: 'payout', payoutId: 'p', minor: 500 }] });
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
    const found = await suggest(lines, [payout('p', 500, 'ABCDEFGHIJ')], [], [['KLMNOPQRST', 'q']]);
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
    const found = await suggest([line('l', -500, 'ACME  PROCESSING 03/26')], [], rules);
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
