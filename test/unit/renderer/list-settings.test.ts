import { describe, expect, test } from 'vitest';
import { readListSettings } from '../../../renderer/kit/list-settings/store.ts';

describe('settings of lists', () => {
  test('returns stored columns and views', () => {
    const stored = {
      columns: { Transactions: { hidden: ['order'], shown: ['phone'], widths: { amount: 120 } } },
      views: {
        transactions: [{ name: 'Refunded', search: '?refund=full' }],
        reports: [{ name: 'Declines', search: '', path: '/reports/declines' }],
      },
    };
    expect(readListSettings(stored)).toEqual(stored);
  });

  test.each([
    ['nothing', null],
    ['text', 'columns'],
    [
      'views of another type',
      {
        views: { transactions: [{ name: 7, search: '?a=1' }, { name: 'Away', search: '', path: 'https://example.org' }, 'x'] },
        columns: [],
      },
    ],
    ['columns of another type', { columns: { Transactions: { hidden: 'order', shown: [1], widths: { amount: 'wide' } } } }],
  ])('leaves out what is not valid: %s', (_, stored) => {
    const { columns, views } = readListSettings(stored);
    expect(Object.values(columns)).toEqual(Object.values(columns).map(() => ({ hidden: [], shown: [], widths: {} })));
    expect(Object.values(views).flat()).toEqual([]);
  });
});
