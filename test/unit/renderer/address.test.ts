import { describe, expect, test } from 'vitest';
import { addressSchema, day, matching, oneOf, text } from '../../../renderer/base/address/index.ts';

const SCHEMA = addressSchema({
  tab: oneOf(['open', 'closed'], 'open'),
  status: oneOf(['paid', 'failed']),
  q: text,
  from: day,
  currency: matching(/^[A-Z]{3}$/),
});
const read = (query: string) => SCHEMA.read(new URLSearchParams(query));

describe('the values of a URL', () => {
  test('returns the default values for an empty query', () => {
    expect(read('')).toEqual({ tab: 'open', status: undefined, q: '', from: undefined, currency: undefined, page: 1 });
  });

  test('reads the values from the query', () => {
    const values = { tab: 'closed', status: 'paid', q: 'ada', from: '2026-02-28', currency: 'EUR', page: 3 };
    expect(read('?tab=closed&status=paid&q=+ada+&from=2026-02-28&currency=EUR&page=3')).toEqual(values);
  });

  test.each([
    'tab=other',
    'status=PAID',
    'q=%20',
    'from=2026-02-30',
    'from=today',
    'currency=eur',
    'page=0',
    'page=2.5',
    'page=x',
    'other=1',
  ])('ignores the invalid parameter %s', (query) => {
    expect(read(query)).toEqual(read(''));
  });

  test.each(['', '?tab=closed', '?status=failed&q=a+b', '?from=2026-02-28&currency=USD&page=2'])(
    'writes the values as they were read: %s',
    (query) => {
      expect(SCHEMA.search(read(query))).toBe(query);
    },
  );
});

test('writes omitted and default values as no parameter', () => {
  expect(SCHEMA.search({ q: 'ada', page: 1 })).toBe('?q=ada');
});
