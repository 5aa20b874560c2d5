import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compare,
  type Finding,
  type OurLine,
  type Tally,
  type TheirLine,
  type TransactionDetails,
} from '../../../core/books/reconciliation/match.ts';

interface Refund {
  readonly minor: number;
  /** True if it belongs to the compared date, false if it belongs to another one. */
  readonly isOfDate: boolean;
}
interface Payment {
  readonly currency: string;
  readonly minor: number;
  readonly isOfDate: boolean;
  readonly refunds: readonly Refund[];
}
type Damage = { readonly kind: 'drop' } | { readonly kind: 'twice' } | { readonly kind: 'change'; readonly by: number };

const idOf = (at: number) => `txn_${String(at).padStart(6, '0')}`;
const payment = fc.record({
  currency: fc.constantFrom('USD', 'JPY'),
  minor: fc.integer({ min: 100, max: 99_999 }),
  isOfDate: fc.boolean(),
  refunds: fc.uniqueArray(fc.record({ minor: fc.integer({ min: 1, max: 40 }), isOfDate: fc.boolean() }), {
    maxLength: 3,
    selector: ({ minor }) => minor,
  }),
});
const damage = fc.option(
  fc.oneof(
    fc.constantFrom<Damage>({ kind: 'drop' }, { kind: 'twice' }),
    fc.record({ kind: fc.constant('change' as const), by: fc.integer({ min: 1, max: 50 }).map((by) => by * 1_000_003) }),
  ),
  { nil: null, freq: 2 },
);

async function* inPages<Line>(lines: readonly Line[], size: number): AsyncGenerator<readonly Line[]> {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size);
  yield [];
}

const bySubject = (left: { subject: string }, right: { subject: string }) =>
  left.subject < right.subject ? -1 : left.subject > right.subject ? 1 : 0;

function worldOf(payments: readonly Payment[]) {
  const lines = payments.flatMap((each, at) => {
    const subject = idOf(at);
    const capture = { subject, kind: 'capture' as const, id: subject, currency: each.currency, minor: each.minor, isOfDate: each.isOfDate };
    const refunds = each.refunds.map((refund, n) => ({
      subject,
      kind: 'refund' as const,
      id: `ref_${at}_${n}`,
      currency: each.currency,
      minor: -refund.minor,
      isOfDate: refund.isOfDate,
    }));
    return [capture, ...refunds];
  });
  const known = new Map<string, TransactionDetails>(
    payments.map((each, at) => [
      idOf(at),
      {
        capturedIn: 'USD',
        isSettledInOtherFile: false,
        otherRefunds: each.refunds.filter(({ isOfDate }) => !isOfDate).map(({ minor }) => ({ currency: each.currency, minor: -minor })),
      },
    ]),
  );
  return { lines, known };
}

test('finds every damage to a report and nothing else', async () => {
  const scenario = fc.record({
    payments: fc.array(payment, { maxLength: 40 }),
    damages: fc.array(damage, { minLength: 200, maxLength: 200 }),
    strangers: fc.array(fc.record({ minor: fc.integer({ min: 1, max: 9_999 }), isOfDate: fc.boolean() }), { maxLength: 5 }),
    size: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ payments, damages, strangers, size }) => {
      const { lines, known } = worldOf(payments);
      const expected: string[] = [];
      const theirs: TheirLine[] = [];
      let [transactions, settlements] = [0, 0];
      lines.forEach((line, at) => {
        const reported = { ...line, reference: line.id };
        const done: Damage | null = damages[at] ?? null;
        if (line.isOfDate) transactions += line.minor;
        // Lines of another date are ignored here: the comparison of that date finds their errors.
        if (!line.isOfDate || done === null) {
          if (!line.isOfDate || done === null) theirs.push(reported);
          if (line.isOfDate) settlements += line.minor;
          return;
        }
        const reportExpected = (type: string, theirMinor: number | null) => {
          expected.push(`${type} ${line.id} ${line.minor} ${theirMinor}`);
          settlements += theirMinor ?? 0;
        };
        if (done.kind === 'drop') reportExpected('missing_in_settlement', null);
        else if (done.kind === 'twice') {
          theirs.push(reported, reported);
          reportExpected('duplicate', line.minor * 2);
        } else {
          theirs.push({ ...reported, minor: line.minor + done.by });
          // Refunds have no reference in a report: another amount appears as another refund, together with the missing one.
          reportExpected('amount_mismatch', line.minor + done.by);
        }
      });
      strangers.forEach(({ minor, isOfDate }, at) => {
        theirs.push({ subject: '', kind: 'capture', reference: `stranger-${at}`, currency: 'USD', minor, isOfDate });
        if (!isOfDate) return;
        expected.push(`missing_in_transactions stranger-${at} null ${minor}`);
        settlements += minor;
      });
      const ours: OurLine[] = lines.filter(({ isOfDate }) => isOfDate).map((line) => ({ ...line, merchantId: 'mer_1' }));
      const tally: Tally = { sums: new Map(), matched: 0 };
      const found: Finding[] = [];
      const sides = {
        captures: inPages(
          ours.filter(({ kind }) => kind === 'capture'),
          size,
        ),
        refunds: inPages(
          ours.filter(({ kind }) => kind === 'refund'),
          size,
        ),
        theirs: inPages([...theirs].sort(bySubject), size),
      };
      for await (const findings of compare(sides, async () => known, tally)) found.push(...findings);
      const nameOf = (finding: Finding) => finding.refundId ?? finding.transactionId ?? finding.reference;
      const seen = found.map((finding) => `${finding.type} ${nameOf(finding)} ${finding.ours} ${finding.theirs}`);
      // If several refunds of one payment are damaged, only their number is known, not which is which.
      const isRefund = (text: string) => text.includes('ref_');
      expect(seen.filter((text) => !isRefund(text)).sort()).toEqual(expected.filter((text) => !isRefund(text)).sort());
      const paymentOf = (text: string) => /ref_\d+/.exec(text)?.[0] ?? '';
      const counts = (texts: string[]) =>
        Object.fromEntries([...Map.groupBy(texts.filter(isRefund), paymentOf)].map(([name, all]) => [name, all.length]).sort());
      const damaged = counts(expected);
      for (const [name, count] of Object.entries(counts(seen))) expect(count, name).toBeLessThanOrEqual(damaged[name] ?? 0);
      for (const name of Object.keys(damaged)) expect(counts(seen)[name] ?? 0, name).toBeGreaterThan(0);
      const singly = Object.keys(damaged).filter((name) => damaged[name] === 1);
      const alone = (texts: string[]) => texts.filter((text) => isRefund(text) && singly.includes(paymentOf(text))).sort();
      expect(alone(seen)).toEqual(alone(expected));
      const sum = (side: 'transactions' | 'settlements') => [...tally.sums.values()].reduce((total, sums) => total + sums[side], 0);
      expect(sum('transactions')).toBe(transactions);
      expect(sum('settlements')).toBe(settlements);
    }),
    { numRuns: 300 },
  );
});

test('compares a file that names one payment endlessly in bounded memory, as one duplicate', async () => {
  const line: OurLine = { subject: 'txn_1', kind: 'capture', id: 'txn_1', merchantId: 'mer_1', currency: 'USD', minor: 500 };
  async function* endless(): AsyncGenerator<readonly TheirLine[]> {
    const their: TheirLine = { subject: 'txn_1', kind: 'capture', reference: 'txn_1', currency: 'USD', minor: 500, isOfDate: true };
    for (let page = 0; page < 100; page += 1) yield Array.from({ length: 2_000 }, () => their);
  }
  const found: Finding[] = [];
  const sides = { captures: inPages([line], 1), refunds: inPages<OurLine>([], 1), theirs: endless() };
  for await (const findings of compare(sides, async () => new Map(), { sums: new Map(), matched: 0 })) found.push(...findings);
  expect(found).toMatchObject([{ type: 'duplicate', ours: 500, theirs: 500 * 200_000 }]);
});

test('treats another currency as another line', async () => {
  const ours: OurLine = { subject: 'txn_1', kind: 'capture', id: 'txn_1', merchantId: 'mer_1', currency: 'USD', minor: 500 };
  const theirs: TheirLine = { subject: 'txn_1', kind: 'capture', reference: 'r', currency: 'JPY', minor: 500, isOfDate: true };
  const found: Finding[] = [];
  const known = new Map<string, TransactionDetails>([['txn_1', { capturedIn: null, isSettledInOtherFile: false, otherRefunds: [] }]]);
  const sides = { captures: inPages([ours], 1), refunds: inPages<OurLine>([], 1), theirs: inPages([theirs], 1) };
  for await (const findings of compare(sides, async () => known, { sums: new Map(), matched: 0 })) found.push(...findings);
  expect(found.map(({ type, currency }) => [type, currency])).toEqual([
    ['missing_in_settlement', 'USD'],
    ['missing_in_transactions', 'JPY'],
  ]);
});

test('refuses sums above the supported maximum on either side', async () => {
  const minor = Math.floor(Number.MAX_SAFE_INTEGER / 3);
  const theirs: TheirLine[] = Array.from({ length: 3 }, (_, at) => ({
    subject: at === 0 ? '' : idOf(1),
    kind: 'capture',
    reference: `line-${at}`,
    currency: 'KWD',
    minor,
    isOfDate: true,
  }));
  const captures: OurLine[] = [1, 2, 3].map((at) => ({
    subject: idOf(at),
    kind: 'capture',
    id: idOf(at),
    merchantId: 'mer_1',
    currency: 'KWD',
    minor,
  }));
  const compared = async (ours: readonly OurLine[], lines: readonly TheirLine[]) => {
    const sides = { captures: inPages(ours, 2), refunds: inPages<OurLine>([], 2), theirs: inPages(lines, 2) };
    for await (const findings of compare(sides, async () => new Map(), { sums: new Map(), matched: 0 })) expect(findings).toBeDefined();
  };
  for (const [ours, lines] of [
    [captures, []],
    [captures.slice(0, 1), theirs.slice(1)],
    [captures.slice(0, 1), theirs.slice(0, 2)],
  ] as const)
    await expect(compared(ours, lines)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 422 });
});
