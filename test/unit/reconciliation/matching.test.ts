import { describe, expect, test } from 'vitest';
import { addAmounts, SUM_MAX } from '../../../core/books/reconciliation/amount-sums.ts';
import {
  compare,
  type Finding,
  type OurLine,
  type Tally,
  type TheirLine,
  type TransactionDetails,
} from '../../../core/books/reconciliation/match.ts';

type Of<Line> = Partial<Line> & { readonly minor: number };
const capture = (subject: string, overrides: Of<OurLine>): OurLine => ({
  subject,
  kind: 'capture',
  id: subject,
  merchantId: 'mer_1',
  currency: 'USD',
  ...overrides,
});
const refund = (subject: string, id: string, minor: number, currency = 'USD'): OurLine => ({
  ...capture(subject, { minor: -minor }),
  kind: 'refund',
  id,
  currency,
});
const reported = (subject: string, overrides: Of<TheirLine>): TheirLine => ({
  subject,
  kind: 'capture',
  reference: `ref-${subject}`,
  currency: 'USD',
  isOfDate: true,
  ...overrides,
});
const reportedRefund = (subject: string, minor: number, overrides: Partial<TheirLine> = {}) =>
  reported(subject, { kind: 'refund', ...overrides, minor: -minor });

async function* pages<Line>(lines: readonly Line[], size: number): AsyncGenerator<readonly Line[]> {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size);
}

/** Compares with pages of several sizes, which must not change the result. */
async function compared(ours: readonly OurLine[], theirs: readonly TheirLine[], known: Record<string, Partial<TransactionDetails>> = {}) {
  const result = await comparedInPages(ours, theirs, known, 1);
  for (const size of [2, 100]) expect(await comparedInPages(ours, theirs, known, size)).toEqual(result);
  return result;
}

async function comparedInPages(
  ours: readonly OurLine[],
  theirs: readonly TheirLine[],
  known: Record<string, Partial<TransactionDetails>>,
  size: number,
) {
  const tally: Tally = { sums: new Map(), matched: 0 };
  const blocks: (readonly Finding[])[] = [];
  const questions: (readonly string[])[] = [];
  const explain = async (subjects: readonly string[]) => {
    questions.push(subjects);
    return new Map(
      Object.entries(known).map(([subject, state]) => [
        subject,
        { capturedIn: 'USD', isSettledInOtherFile: false, otherRefunds: [], ...state },
      ]),
    );
  };
  const linesOf = (kind: OurLine['kind']) =>
    pages(
      ours.filter((line) => line.kind === kind),
      size,
    );
  const sides = { captures: linesOf('capture'), refunds: linesOf('refund'), theirs: pages(theirs, size) };
  for await (const block of compare(sides, explain, tally)) blocks.push(block);
  return { findings: blocks.flat(), blocks, questions, matched: tally.matched, sums: Object.fromEntries(tally.sums) };
}

const finding = (overrides: Partial<Finding>): Finding => ({
  type: 'missing_in_settlement',
  kind: 'capture',
  merchantId: 'mer_1',
  transactionId: 'txn_1',
  refundId: null,
  reference: null,
  currency: 'USD',
  ours: 500,
  theirs: null,
  ordinal: 0,
  ...overrides,
});

describe('matching of captures', () => {
  test('counts equal lines and their sums and reports nothing', async () => {
    const ours = [capture('txn_1', { minor: 500 }), capture('txn_2', { minor: 300 }), capture('txn_3', { minor: 7, currency: 'JPY' })];
    const result = await compared(
      ours,
      ours.map(({ subject, minor, currency }) => reported(subject, { minor, currency })),
    );
    expect(result).toMatchObject({
      findings: [],
      questions: [],
      matched: 3,
      sums: { USD: { transactions: 800, settlements: 800 }, JPY: { transactions: 7, settlements: 7 } },
    });
  });

  test('finds nothing in two empty sides', async () => {
    expect(await compared([], [])).toEqual({ findings: [], blocks: [], questions: [], matched: 0, sums: {} });
  });

  test('reports a capture that the processor did not settle', async () => {
    const result = await compared(
      [capture('txn_1', { minor: 500 }), capture('txn_2', { minor: 300 })],
      [reported('txn_2', { minor: 300 })],
    );
    expect(result).toMatchObject({
      findings: [finding({})],
      matched: 1,
      sums: { USD: { transactions: 800, settlements: 300 } },
    });
  });

  test('reports a different amount', async () => {
    const result = await compared([capture('txn_1', { minor: 500 })], [reported('txn_1', { minor: 501 })]);
    expect(result).toMatchObject({
      findings: [finding({ type: 'amount_mismatch', theirs: 501, reference: 'ref-txn_1' })],
      questions: [],
      matched: 0,
      sums: { USD: { transactions: 500, settlements: 501 } },
    });
  });

  test('reports a capture that was settled twice once, with the settled sum', async () => {
    const result = await compared(
      [capture('txn_1', { minor: 500 })],
      [reported('txn_1', { minor: 500 }), reported('txn_1', { minor: 500 })],
    );
    expect(result.findings).toEqual([finding({ type: 'duplicate', theirs: 1_000, reference: 'ref-txn_1' })]);
    expect(result.matched).toBe(0);
  });

  test('reports another currency as a missing line and an unknown line', async () => {
    const result = await compared([capture('txn_1', { minor: 500 })], [reported('txn_1', { minor: 500, currency: 'JPY' })], {
      txn_1: { capturedIn: null },
    });
    expect(result.findings).toEqual([
      finding({}),
      finding({
        type: 'missing_in_transactions',
        merchantId: null,
        reference: 'ref-txn_1',
        currency: 'JPY',
        ours: null,
        theirs: 500,
      }),
    ]);
  });

  test('does not match equal amounts of different payments', async () => {
    const ours = ['txn_0', 'txn_1', 'txn_4'].map((subject) => capture(subject, { minor: 500 }));
    const theirs = ['txn_0', 'txn_2', 'txn_3', 'txn_4'].map((subject) => reported(subject, { minor: 500 }));
    const result = await compared(ours, theirs, { txn_2: { capturedIn: null } });
    expect(result.findings.map(({ type, transactionId }) => [type, transactionId])).toEqual([
      ['missing_in_settlement', 'txn_1'],
      ['missing_in_transactions', 'txn_2'],
    ]);
    expect(result.matched).toBe(2);
  });

  test('does not match equal amounts of different currencies', async () => {
    const ours = ['txn_0', 'txn_1', 'txn_2'].map((subject) => capture(subject, { minor: 500 }));
    const theirs = ours.map(({ subject, minor }) => reported(subject, { minor, currency: subject === 'txn_1' ? 'EUR' : 'USD' }));
    const result = await compared(ours, theirs);
    expect(result).toMatchObject({ findings: [finding({})], matched: 2 });
  });

  test('ignores a settled capture of another date', async () => {
    const result = await compared([], [reported('txn_1', { minor: 500 })], { txn_1: { capturedIn: 'USD' } });
    expect(result).toMatchObject({ findings: [], questions: [['txn_1']], matched: 0, sums: {} });
  });

  test('ignores a settled capture of an unknown payment', async () => {
    expect((await compared([], [reported('txn_1', { minor: 500 })])).findings).toEqual([]);
  });

  test('reports settled lines of a payment that was never captured, unless they belong to another date', async () => {
    const lines = [1, 2, 3].map((minor) => reported('txn_1', { minor, isOfDate: minor !== 2 }));
    const result = await compared([], lines, { txn_1: { capturedIn: null } });
    const stray = { type: 'missing_in_transactions', merchantId: null, reference: 'ref-txn_1', ours: null } as const;
    expect(result.findings).toEqual([finding({ ...stray, theirs: 1, ordinal: 0 }), finding({ ...stray, theirs: 3, ordinal: 1 })]);
  });

  test('asks once about all unexplained payments', async () => {
    const lines = ['txn_1', 'txn_1', 'txn_2'].map((subject) => reported(subject, { minor: 5 }));
    expect((await compared([], lines)).questions).toEqual([['txn_1', 'txn_2']]);
  });
});

describe('matching of lines that belong to no payment', () => {
  const stranger = (reference: string, minor: number, isOfDate = true) => reported('', { reference, minor, isOfDate });
  const strange = (reference: string, theirs: number, ordinal: number) =>
    finding({ type: 'missing_in_transactions', merchantId: null, transactionId: null, reference, ours: null, theirs, ordinal });

  test('reports lines without payment with a number that distinguishes equal references', async () => {
    const result = await compared(
      [capture('txn_1', { minor: 500 })],
      [stranger('a', 1), stranger('a', 1), stranger('b', 2), stranger('a', 1), reported('txn_1', { minor: 500 })],
    );
    expect(result).toMatchObject({
      findings: [strange('a', 1, 0), strange('a', 1, 1), strange('b', 2, 0), strange('a', 1, 0)],
      matched: 1,
      sums: { USD: { transactions: 500, settlements: 505 } },
    });
  });

  test('ignores lines without payment of another date', async () => {
    expect((await compared([], [stranger('a', 1, false)])).findings).toEqual([]);
  });
});

describe('matching of refunds', () => {
  const payment = capture('txn_1', { minor: 500 });
  const settled = reported('txn_1', { minor: 500 });

  test('pairs refunds of one payment by amount in any order', async () => {
    const result = await compared(
      [payment, refund('txn_1', 'ref_1', 10), refund('txn_1', 'ref_2', 20)],
      [settled, reportedRefund('txn_1', 20), reportedRefund('txn_1', 10)],
    );
    expect(result).toMatchObject({ findings: [], matched: 3, sums: { USD: { transactions: 470, settlements: 470 } } });
  });

  test('matches a capture whose refund belongs to the same date', async () => {
    const ours = [
      capture('txn_1', { minor: 500 }),
      capture('txn_2', { minor: 300 }),
      refund('txn_1', 'ref_1', 10),
      refund('txn_2', 'ref_2', 20),
    ];
    const theirs = [settled, reportedRefund('txn_1', 10), reported('txn_2', { minor: 300 }), reportedRefund('txn_2', 20)];
    expect(await compared(ours, theirs)).toMatchObject({ findings: [], matched: 4, questions: [] });
  });

  test('reports a refund that was not settled', async () => {
    const result = await compared([payment, refund('txn_1', 'ref_1', 10)], [settled]);
    expect(result.findings).toEqual([finding({ kind: 'refund', refundId: 'ref_1', ours: -10 })]);
    expect(result.matched).toBe(1);
  });

  test('reports every refund that was not settled', async () => {
    const result = await compared([refund('txn_1', 'ref_1', 10), refund('txn_1', 'ref_2', 10)], []);
    expect(result.findings.map(({ refundId }) => refundId)).toEqual(['ref_1', 'ref_2']);
  });

  test('reports a different amount of a refund', async () => {
    const result = await compared([refund('txn_1', 'ref_1', 10)], [reportedRefund('txn_1', 11)]);
    expect(result.findings).toEqual([
      finding({ type: 'amount_mismatch', kind: 'refund', refundId: 'ref_1', ours: -10, theirs: -11, reference: 'ref-txn_1' }),
    ]);
    expect(result.questions).toEqual([['txn_1']]);
  });

  test('reports a refund that was settled twice, with the settled sum', async () => {
    const twice = [reportedRefund('txn_1', 10, { reference: 'x' }), reportedRefund('txn_1', 10, { reference: 'y' })];
    const result = await compared([refund('txn_1', 'ref_1', 10)], twice);
    expect(result.findings).toEqual([
      finding({ type: 'duplicate', kind: 'refund', refundId: 'ref_1', ours: -10, theirs: -20, reference: 'y' }),
    ]);
    expect(result.matched).toBe(0);
  });

  test('finds a duplicate capture in front of the refund of the same payment', async () => {
    const ours = [payment, refund('txn_1', 'ref_1', 10), capture('txn_2', { minor: 300 })];
    const theirs = [settled, settled, reportedRefund('txn_1', 10), reported('txn_2', { minor: 300 })];
    const result = await compared(ours, theirs);
    expect(result).toMatchObject({ findings: [finding({ type: 'duplicate', theirs: 1_000, reference: 'ref-txn_1' })], matched: 2 });
  });

  test('attributes a settled refund to a refund of another date first', async () => {
    const known = { txn_1: { otherRefunds: [{ currency: 'USD', minor: -20 }] } };
    const result = await compared([refund('txn_1', 'ref_1', 10)], [reportedRefund('txn_1', 20)], known);
    expect(result.findings).toEqual([finding({ kind: 'refund', refundId: 'ref_1', ours: -10 })]);
  });

  test('does not attribute a settled refund to a refund in another currency', async () => {
    const known = { txn_1: { otherRefunds: [{ currency: 'JPY', minor: -20 }] } };
    const result = await compared([refund('txn_1', 'ref_1', 10)], [reportedRefund('txn_1', 20)], known);
    expect(result.findings).toMatchObject([{ type: 'amount_mismatch', ours: -10, theirs: -20 }]);
  });

  test('reports settled refunds without a recorded refund, unless they belong to another date', async () => {
    const theirs = [
      reportedRefund('txn_1', 10),
      reportedRefund('txn_1', 3, { isOfDate: false }),
      reportedRefund('txn_1', 4),
      reportedRefund('txn_1', 5),
    ];
    const result = await compared([refund('txn_1', 'ref_1', 10)], theirs, { txn_1: { otherRefunds: [{ currency: 'USD', minor: -4 }] } });
    expect(result).toMatchObject({
      findings: [{ type: 'missing_in_transactions', kind: 'refund', transactionId: 'txn_1', refundId: null, ours: null, theirs: -5 }],
      matched: 1,
    });
  });

  test('numbers settled refunds without a recorded refund', async () => {
    const theirs = [reportedRefund('txn_1', 5), reportedRefund('txn_1', 5)];
    const result = await compared([], theirs, { txn_1: { capturedIn: 'USD' } });
    expect(result.findings.map(({ theirs: minor, ordinal }) => [minor, ordinal])).toEqual([
      [-5, 0],
      [-5, 1],
    ]);
  });

  test('ignores settled refunds of an unknown payment', async () => {
    expect((await compared([], [reportedRefund('txn_1', 5)])).findings).toEqual([]);
  });

  test('keeps refunds of different currencies apart', async () => {
    const result = await compared(
      [refund('txn_1', 'ref_1', 10), refund('txn_1', 'ref_2', 10, 'JPY')],
      [reportedRefund('txn_1', 10, { currency: 'JPY' }), reportedRefund('txn_1', 10)],
    );
    expect(result).toMatchObject({ findings: [], matched: 2 });
  });
});

describe('matching in bounded memory', () => {
  const idOf = (at: number) => `txn_${String(at).padStart(5, '0')}`;

  test('yields findings in blocks of 500', async () => {
    const ours = Array.from({ length: 1_200 }, (_, at) => capture(idOf(at), { minor: 1 }));
    expect((await compared(ours, [])).blocks.map((block) => block.length)).toEqual([500, 500, 200]);
  });

  test('asks about unexplained payments in blocks of 500', async () => {
    const theirs = Array.from({ length: 1_200 }, (_, at) => reported(idOf(at), { minor: 1 }));
    expect((await compared([], theirs)).questions.map((subjects) => subjects.length)).toEqual([500, 500, 200]);
  });

  test('adds the lines of one payment above 100 to the last one', async () => {
    const theirs = Array.from({ length: 130 }, (_, at) => reported('txn_1', { minor: at + 1, reference: `line-${at}` }));
    const { findings } = await compared([], theirs, { txn_1: { capturedIn: null } });
    expect(findings).toHaveLength(100);
    expect(findings.slice(98).map(({ theirs: minor, reference }) => [minor, reference])).toEqual([
      [99, 'line-98'],
      [Array.from({ length: 31 }, (_, at) => at + 100).reduce((sum, minor) => sum + minor, 0), 'line-99'],
    ]);
  });

  test('refuses lines that are not in order', async () => {
    const ours = ['txn_2', 'txn_1'].map((subject) => capture(subject, { minor: 1 }));
    await expect(compared(ours, [])).rejects.toThrow();
  });
});

describe('sums of a reconciliation', () => {
  test('sums are exact up to half of the safe integers, on both sides of zero', () => {
    expect(SUM_MAX).toBe(4_503_599_627_370_495);
    expect(addAmounts(SUM_MAX - 1, 1)).toBe(SUM_MAX);
    expect(addAmounts(1 - SUM_MAX, -1)).toBe(-SUM_MAX);
    expect(addAmounts(3, -5)).toBe(-2);
  });

  test.each([
    [SUM_MAX, 1],
    [-SUM_MAX, -1],
  ])('refuses the sum of %i and %i', (left, right) => {
    expect(() => addAmounts(left, right)).toThrowError(expect.objectContaining({ code: 'VALIDATION_ERROR', status: 422, field: 'date' }));
  });
});
