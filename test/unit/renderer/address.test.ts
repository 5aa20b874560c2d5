import { describe, expect, test } from 'vitest';
import { addressSchema, day, matching, oneOf, text } from '../../../renderer/address/index.ts';

const SCHEMA = addressSchema({
  tab: oneOf(['open', 'closed'], 'open'),
  status: oneOf(['paid', 'failed']),
  q: text,
  from: day,
  currency: matching(/^[A-Z]{3}$/),
});
const read = (query: string) => SCHEMA.read(new URLSearchParams(query));

describe('the values of an address', () => {
  test('are the usual ones if it says nothing', () => {
    expect(read('')).toEqual({ tab: 'open', status: undefined, q: '', from: undefined, currency: undefined, page: 1 });
  });

  test('are what it says', () => {
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
  ])('leave out %s', (query) => {
    expect(read(query)).toEqual(read(''));
  });

  test.each(['', '?tab=closed', '?status=failed&q=a+b', '?from=2026-02-28&currency=USD&page=2'])(
    'are written as they were read: %s',
    (query) => {
      expect(SCHEMA.search(read(query))).toBe(query);
    },
  );
});

test('what is not given goes without saying', () => {
  expect(SCHEMA.search({ q: 'ada', page: 1 })).toBe('?q=ada');
});
