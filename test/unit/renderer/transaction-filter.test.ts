import { describe, expect, test } from 'vitest';
import { dayIn } from '../../../renderer/base/dates/day.ts';
import { ADDRESS, addressOf, filterOf, isFiltered, queryOf } from '../../../renderer/screens/transactions/filter.ts';
import { periodDates } from '../../../renderer/session/periods/index.ts';

const filterOfText = (text: string) => filterOf(ADDRESS.read(new URLSearchParams(text)));

test.each([
  '',
  'q=1111',
  'q=ada%40customer.example&period=7-days&status=declined&type=auth&paymentMethod=card&refundStatus=partial',
  'status=approved&shiftId=shf_01H',
  'status=approved&terminalId=trm_01H',
  'startDate=2026-11-01&endDate=2026-11-20&settlementDate=2026-11-19',
])('converts the address %s to a filter and back', (text) => {
  expect(ADDRESS.search(filterOfText(text))).toBe(text === '' ? '' : `?${text}`);
});

test.each(['status=paid', 'period=ever', 'startDate=yesterday', 'endDate=2026-02-30', 'q=%20%20', 'other=1'])(
  'ignores the invalid parameter %s',
  (text) => {
    expect(isFiltered(filterOfText(text))).toBe(false);
  },
);

describe('the front desk', () => {
  const shown = (text: string) => filterOf(ADDRESS.read(new URLSearchParams(text)), true);

  test('sees the payments of today without a filter, and those of all days by a search or by choice', () => {
    expect(shown('')).toEqual({ period: 'today' });
    expect(shown('page=2&sort=amount')).toEqual({ period: 'today' });
    expect(shown('q=1111')).toEqual({ q: '1111' });
    expect(shown('status=declined')).toEqual({ status: 'declined' });
    expect(shown('period=all')).toEqual({});
    expect(filterOfText('period=all')).toEqual({});
  });

  test('keeps all days after it removed the period, and returns to today after a search', () => {
    expect(ADDRESS.search(addressOf({}, { period: 'today' }, true))).toBe('?period=all');
    expect(ADDRESS.search(addressOf({}, { q: '1111' }, true))).toBe('');
    expect(ADDRESS.search(addressOf({}, { period: 'today' }, false))).toBe('');
    expect(ADDRESS.search(addressOf({ ...shown(''), q: '1111' }, shown(''), true))).toBe('?q=1111');
    expect(ADDRESS.search(addressOf({ period: 'today', q: '1111' }, { period: 'today' }, true))).toBe('?q=1111&period=today');
    expect(ADDRESS.search(addressOf({ period: 'month' }, { period: 'today' }, true))).toBe('?period=month');
  });
});

test('sends a period as days', () => {
  expect(queryOf({ period: 'yesterday', status: 'approved' }, 'mer_1', '2026-03-01')).toEqual({
    merchantId: 'mer_1',
    status: 'approved',
    startDate: '2026-02-28',
    endDate: '2026-02-28',
  });
});

describe('periods', () => {
  test.each([
    ['today', '2026-01-01', '2026-01-01', '2026-01-01'],
    ['yesterday', '2026-01-01', '2025-12-31', '2025-12-31'],
    ['7-days', '2026-03-03', '2026-02-25', '2026-03-03'],
    ['30-days', '2024-03-10', '2024-02-10', '2024-03-10'],
    ['month', '2026-11-20', '2026-11-01', '2026-11-20'],
    ['last-month', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['last-month', '2024-03-31', '2024-02-01', '2024-02-29'],
  ] as const)('the period %s on %s is %s to %s', (period, today, startDate, endDate) => {
    expect(periodDates(period, today)).toEqual({ startDate, endDate });
  });

  test("uses the merchant's day, not that of the computer", () => {
    const instant = Date.UTC(2026, 10, 21, 2);
    expect(dayIn('America/Los_Angeles', instant)).toBe('2026-11-20');
    expect(dayIn('Asia/Tokyo', instant)).toBe('2026-11-21');
  });
});
