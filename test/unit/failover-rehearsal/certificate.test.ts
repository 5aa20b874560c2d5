import { describe, expect, test } from 'vitest';
import { parsePatroniUrls } from '#core/operation/failover-rehearsal';
import { compareSales, longestGapMs, type RecordedSale } from '../../../core/operation/failover-rehearsal/certificate.ts';

const acknowledged = (...ids: number[]) => ids.map((n) => ({ mark: `reh/${n}`, transactionId: `txn_${n}`, atMs: n }));
const recorded = (n: number, more: Partial<RecordedSale> = {}): RecordedSale => ({
  id: `txn_${n}`,
  mark: `reh/${n}`,
  status: 'approved',
  gatewayReference: `g${n}`,
  ...more,
});

describe('Comparison of a failover rehearsal', () => {
  test.each<[string, Parameters<typeof compareSales>, { lost?: number; doubled?: number; unconfirmed?: number }]>([
    ['finds nothing if all sales are recorded once', [acknowledged(1, 2), [recorded(1), recorded(2)], ['g1', 'g2']], {}],
    ['accepts an approved sale whose response was lost', [acknowledged(1), [recorded(1), recorded(2)], ['g1', 'g2']], {}],
    ['counts an acknowledged sale without a record as lost', [acknowledged(1, 2), [recorded(1)], ['g1']], { lost: 1 }],
    ['counts an acknowledged sale that failed as lost', [acknowledged(1), [recorded(1, { status: 'failed' })], []], { lost: 1 }],
    [
      'counts a second approved payment of a sale as doubled',
      [acknowledged(1), [recorded(1), recorded(9, { mark: 'reh/1' })], ['g1', 'g9']],
      { doubled: 1 },
    ],
    ['counts a charge without a payment as doubled', [acknowledged(1), [recorded(1)], ['g1', 'g2']], { doubled: 1 }],
    ['counts a repeated charge as doubled', [acknowledged(1), [recorded(1)], ['g1', 'g1']], { doubled: 1 }],
    [
      'expects a charge of an unconfirmed payment',
      [acknowledged(1), [recorded(1), recorded(2, { status: 'pending', gatewayReference: null })], ['g1', 'g2']],
      { unconfirmed: 1 },
    ],
  ])('%s', (_, input, found) => {
    expect(compareSales(...input)).toEqual({ lost: 0, doubled: 0, unconfirmed: 0, ...found });
  });

  test('measures the longest time without a sale, including the ends of the period', () => {
    const times = [40, 10, 25].map((atMs) => ({ atMs }));
    expect(longestGapMs(times, 5, 45)).toBe(15);
    expect(longestGapMs(times, 0, 100)).toBe(60);
    expect(longestGapMs(times, 30, 45)).toBe(10);
    expect(longestGapMs([], 5, 45)).toBe(40);
  });
});

describe('Address of Patroni', () => {
  test('reads several members', () => {
    expect(parsePatroniUrls('http://u:p@db1:8008, https://[::1]:8009').map(({ host }) => host)).toEqual(['db1:8008', '[::1]:8009']);
  });

  test.each(['db1:8008', 'ftp://db1', 'http://u:secret@db1:8008/path', 'http://db1:8008,,', ''])('refuses `%s`', (text) => {
    expect(() => parsePatroniUrls(text)).toThrow(/^--patroni-url requires addresses such as/);
  });
});
