import { describe, expect, test } from 'vitest';
import { leftOut } from '../../../renderer/kit/data-table/left-out.ts';

const COLUMNS = [
  { field: 'name', flex: 1, minWidth: 200 },
  { field: 'company', flex: 1, minWidth: 100 },
  { field: 'phone', flex: 1, minWidth: 120 },
  // Without a flex, the width counts.
  { field: 'status', width: 80, minWidth: 20 },
];

describe('columns of a narrow list', () => {
  test.each([
    ['nothing if all fit', 500, ['phone', 'company'], []],
    ['the first one that makes room', 499, ['phone', 'company'], ['phone']],
    ['the next ones too, while they do not fit', 379, ['phone', 'company'], ['phone', 'company']],
    ['no other column, though the list is still too narrow', 100, ['phone', 'company'], ['phone', 'company']],
    ['no column that the list does not have', 450, ['order', 'company'], ['company']],
  ])('leave out %s', (_, widthPx, candidates, expected) => {
    expect(leftOut(COLUMNS, candidates, widthPx)).toEqual(expected);
  });
});
